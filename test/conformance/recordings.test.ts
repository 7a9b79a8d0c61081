/** Recorded provider traffic through the whole gateway: nothing is lost, and clients can read everything. */
import { describe, expect, test } from 'vitest';
import { type ChatMessageSeen, readChatStream } from '../harness/chat-stream.ts';
import { brokenRecordings, useRecordedGateway } from '../harness/gateways/recorded-gateway.ts';
import { hasOpenAiSchema, openAiSchema } from '../harness/openai-schema.ts';
import { chatRecordings, hasRecordings, type Recording } from '../harness/recorded/recordings.ts';
import { wholeBody } from '../harness/whole-body.ts';

/** Failures that are not the caller's: a wrong model id in the catalog. */
const notTheCallers = new Map([
  ['bedrock/test_bedrock_error.cassette.json #0', 503],
  ['groq/test_tool_regular_error.cassette.json #0', 503],
]);

const ask = useRecordedGateway();

function replay(recording: Omit<Recording, 'name'>): Promise<Response> {
  return ask('/v1/chat/completions', recording, {
    messages: [{ role: 'user', content: 'Hello.' }],
    ...(recording.stream && { stream_options: { include_usage: true } }),
  });
}

interface Body {
  readonly choices: readonly { readonly message: Record<string, unknown>; readonly finish_reason: string }[];
  readonly usage?: object;
}

const recordings = chatRecordings();
const whole = recordings.filter(({ stream, status }) => !stream && status === 200);
const streams = recordings.filter(({ stream, name }) => stream && !brokenRecordings.has(name));
const failures = recordings.filter(({ status }) => status !== 200);

describe.skipIf(!hasRecordings || !hasOpenAiSchema)('recorded traffic', () => {
  test.each(whole)('the body of $name satisfies the public schema', async (recording) => {
    const response = await replay(recording);
    expect(response.status).toBe(200);
    const body = (await response.json()) as Body;
    expect(openAiSchema('CreateChatCompletionResponse')(body)).toEqual([]);
    expect(body.usage !== undefined).toBe(/TokenCount|_tokens|Tokens"/.test(recording.body.toString()));
  });

  test.each(streams)('the stream of $name satisfies the stream grammar and the schema', async (recording) => {
    const response = await replay(recording);
    expect(response.status).toBe(200);
    const seen = readChatStream(await response.text());
    expect(seen.error).toBeUndefined();
    expect(seen.choices.size).toBeGreaterThan(0);
    const check = openAiSchema('CreateChatCompletionStreamResponse');
    expect(seen.chunks.flatMap(check)).toEqual([]);
  });

  test.each(streams)('$name gives the same answer streamed or not', async (recording) => {
    const streamed = readChatStream(await (await replay(recording)).text());
    const body = Buffer.from(JSON.stringify(wholeBody(recording)));
    const response = await replay({ ...recording, body, stream: false, contentType: 'application/json' });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as Body;
    const [choice] = answer.choices;
    expect(withoutIds(messageOf(choice))).toEqual(withoutIds(streamed.choices.get(0)));
    expect(answer.usage ?? null).toEqual(streamed.usage ?? null);
  });

  test.each(failures)('the failure of $name is returned as an error of the gateway', async (recording) => {
    const response = await replay(recording);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(response.status).toBe(notTheCallers.get(recording.name) ?? recording.status);
    expect(error).toEqual({
      message: expect.any(String),
      type: expect.any(String),
      param: error.param ?? null,
      code: error.code ?? null,
    });
    if (recording.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each(recordings.filter(({ name }) => brokenRecordings.has(name)))(
    '$name is not returned as a success',
    async (recording) => {
      const response = await replay(recording);
      const seen = response.status === 200 ? readChatStream(await response.text()) : undefined;
      expect(response.status !== 200 || seen?.error !== undefined).toBe(true);
    },
  );
});

function messageOf(choice: Body['choices'][number] | undefined): ChatMessageSeen | undefined {
  if (!choice) return undefined;
  const { message, finish_reason: finish } = choice;
  const calls = (message.tool_calls ?? []) as {
    id: string;
    function: { name: string; arguments: string };
  }[];
  return {
    content: String(message.content ?? ''),
    refusal: String(message.refusal ?? ''),
    reasoning: String(message.reasoning_content ?? ''),
    details: (message.reasoning_details ?? []) as object[],
    calls: calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
    finish,
  };
}

/** Calls of a protocol without ids get random ones, and JSON that arrived in pieces may be formatted differently. */
function withoutIds(seen: ChatMessageSeen | undefined) {
  return {
    ...seen,
    details: seen?.details.map((detail) => ({ ...detail, id: undefined })),
    calls: seen?.calls.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) })),
  };
}
