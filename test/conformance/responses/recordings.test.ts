/** Recorded traffic of the Responses protocol through the whole gateway: nothing is lost, and clients can read everything. */
import { describe, expect, test } from 'vitest';
import { decodeReasoning } from '../../../lib/operations/responses/write/encrypted-content.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { hasRecordings, type Recording, responsesRecordings } from '../../harness/recorded/recordings.ts';
import { readWhole } from '../../harness/responses/response-protocols.ts';
import { type Json, readResponseStream } from '../../harness/responses/response-stream.ts';
import type { UpstreamScript } from '../../harness/upstream.ts';
import { readSse } from '../../sandbox/client.ts';

const models: Readonly<Record<string, string>> = { openai: 'openai/gpt-5.5', xai: 'xai/grok-4.3' };

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'XAI']);

const answerWith =
  ({ status, contentType, body }: Pick<Recording, 'status' | 'contentType' | 'body'>): UpstreamScript =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(body);
  };

const include = ['reasoning.encrypted_content', 'web_search_call.action.sources'];

function replay(recording: Omit<Recording, 'name'>, more: object = {}): Promise<Response> {
  upstream.script(answerWith(recording));
  const model = models[recording.provider];
  return gateway.post('/v1/responses', {
    model,
    input: 'Hello.',
    stream: recording.stream,
    include,
    ...more,
  });
}

/** The response that a recording ends with, as the provider wrote it. */
function recorded({ stream, body }: Recording): Json {
  if (!stream) return JSON.parse(body.toString());
  const last = readSse<{ readonly response: Json }>(body.toString()).at(-1);
  // Its items are those of the events, which differ from the last object for some hosts.
  return { ...last?.data.response, output: itemsDone(body) };
}

function itemsDone(body: Buffer): readonly Json[] {
  return readSse<Json & { readonly type: string; readonly item: Json }>(body.toString())
    .filter(({ data }) => data.type === 'response.output_item.done')
    .map(({ data }) => data.item);
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const textOf = (parts: readonly Json[]): string => parts.map(({ text }) => text ?? '').join('');

/** The content of an item, in the same form for the provider and the gateway. */
function said(item: Json): readonly Json[] {
  switch (item.type) {
    case 'message':
      return [{ type: 'message', phase: item.phase, text: textOf(list(item.content)), cites: cites(item) }];
    case 'reasoning':
      return reasoningSaid(item);
    case 'function_call':
      return callsSaid(item);
    default:
      return [{ type: item.type, status: item.status }];
  }
}

const cites = ({ content }: Json): readonly unknown[] =>
  list(content).flatMap(({ annotations }) => list(annotations).map(({ url }) => url));

/** Reasoning without text that cannot be sent back is omitted. */
function reasoningSaid({ summary, content, encrypted_content: sent }: Json): readonly Json[] {
  const text = textOf([...list(summary), ...list(content)]);
  const details = typeof sent === 'string' ? (decodeReasoning(sent) ?? [{ data: sent }]) : [];
  const encrypted = details.flatMap((detail) => ('data' in detail ? [detail.data] : []));
  return text === '' && encrypted.length === 0 ? [] : [{ type: 'reasoning', text, encrypted }];
}

/** The calls in a wrapper replace it. */
function callsSaid({ name, arguments: text }: Json): readonly Json[] {
  const args: { readonly tool_uses?: readonly { recipient_name: string; parameters: object }[] } = JSON.parse(
    String(text),
  );
  const uses = args.tool_uses?.map(({ recipient_name, parameters }) => ({
    name: recipient_name.replace('functions.', ''),
    args: parameters,
  }));
  return (uses ?? [{ name, args }]).map((call) => ({ type: 'function_call', ...call }));
}

function contentOf({ status, output, usage, incomplete_details }: Json) {
  const { input_tokens, output_tokens, total_tokens, output_tokens_details } = (usage ?? {}) as Json;
  const { reasoning_tokens } = (output_tokens_details ?? {}) as Json;
  return {
    // A client formats it differently in its tests.
    status: status === 'complete' ? 'completed' : status,
    incomplete: incomplete_details ?? null,
    said: list(output).flatMap(said),
    usage: { input_tokens, output_tokens, total_tokens, reasoning_tokens },
  };
}

const recordings = responsesRecordings();
const good = recordings.filter(({ status, name }) => status === 200 && !name.includes('openai-error'));
const whole = good.filter(({ stream }) => !stream);
const streams = good.filter(({ stream }) => stream);

describe.skipIf(!hasRecordings)('recorded Responses', () => {
  test('exist of every type', () => {
    expect(whole.length).toBeGreaterThan(6);
    expect(streams.length).toBeGreaterThan(10);
  });

  test.each(whole)('the body of $name is returned completely', async (recording) => {
    const response = await readWhole(await replay(recording));
    expect(contentOf(response)).toEqual(contentOf(recorded(recording)));
  });

  test.each(streams)(
    'the stream of $name follows the stream grammar and is returned completely',
    async (recording) => {
      const answer = await replay(recording);
      expect(answer.status).toBe(200);
      const { response, error } = readResponseStream(await answer.text());
      expect(error).toBeUndefined();
      expect(contentOf(response)).toEqual(contentOf(recorded(recording)));
    },
  );
});

const errorRows = [
  ['openai-error.1.json', 429, 'rate_limit_error', null, 'provider_quota'],
  ['openai-error.1.chunks.txt', 429, 'rate_limit_error', null, 'provider_quota'],
  ['reasoning-model-temperature-error.json', 400, 'invalid_request_error', 'temperature', null],
  [
    'test_openai_responses_model_http_error',
    400,
    'invalid_request_error',
    'temperature',
    'decimal_below_min_value',
  ],
  ['rejects_interleaved_function_calls', 400, 'invalid_request_error', null, null],
] as const;

describe.skipIf(!hasRecordings)('recorded failures', () => {
  const named = (part: string): Recording => {
    const found = recordings.find(({ name }) => name.includes(part));
    if (!found) throw new Error(`There is no recording of ${part}.`);
    return found;
  };
  const forms = [true, false];

  test.each(errorRows)('%s is returned as an error', async (name, status, type, param, code) => {
    const recording = named(name);
    for (const stream of recording.stream ? [true] : forms) {
      const answer = await replay(recording, { stream });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.json()).toEqual({ error: { message: expect.any(String), type, param, code } });
      if (status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe.skipIf(!hasRecordings)('a recorded conversation of four turns', () => {
  const turns = recordings.filter(({ name }) => name.includes('reasoning-encrypted-content.1.chunks'));

  test('sends the model its own reasoning back in every turn, byte for byte', async () => {
    expect(turns).toHaveLength(4);
    const tools = [{ type: 'function', name: 'calculator', parameters: { type: 'object', properties: {} } }];
    let input: unknown = 'What is (12 + 7) * 3 * 10?';
    let previous_response_id: string | undefined;
    const before: Json[] = [];
    for (const turn of turns) {
      const answer = await replay(turn, { input, tools, previous_response_id });
      const { response } = readResponseStream(await answer.text());
      const sent = list(upstream.requests[0]?.body.input);
      expect(sent.filter(({ type }) => type === 'reasoning')).toEqual(
        before
          .filter(({ type }) => type === 'reasoning')
          .map(({ type, id, summary, encrypted_content }) => {
            return { type, id, summary, encrypted_content };
          }),
      );
      expect(sent.flatMap(({ type, call_id }) => (type === 'function_call' ? [call_id] : []))).toEqual(
        before.flatMap(({ type, call_id }) => (type === 'function_call' ? [call_id] : [])),
      );
      before.push(...itemsDone(turn.body));
      previous_response_id = response.id;
      input = response.output.flatMap(({ type, call_id }) =>
        type === 'function_call' ? [{ type: 'function_call_output', call_id, output: '1' }] : [],
      );
    }
    expect(before.filter(({ type }) => type === 'reasoning').length).toBeGreaterThan(0);
  });
});
