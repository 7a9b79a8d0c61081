/** Recorded traffic of every protocol: answers and failures, and what is sent back to a provider as the recorded client did. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { asArray, asObject } from '../../lib/core/formats/json-object.ts';
import { parseJson } from '../../lib/core/formats/parse-json.ts';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { AssistantMessage, JsonObject, Message } from '../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { bedrockInvoke } from '../../lib/protocols/bedrock-invoke/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { asText } from '../../lib/protocols/json.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { openaiImages } from '../../lib/protocols/openai-images/protocol.ts';
import { wrapEvent } from '../harness/protocols/bedrock-invoke.ts';
import {
  chatRecordings,
  hasRecordings,
  type Protocol,
  type Recording,
  recordingsFolder,
  responsesRecordings,
} from '../harness/recorded/recordings.ts';
import { decodeFrames, expectGrammar, fold, joined, only } from './answer.ts';
import { format, protocol as openaiResponses } from './openai-responses/frames.ts';
import { answerAsMessage, decodeRecording, framesOf } from './recorded.ts';
import { assistant, newRequest, newTarget, tool, user, weatherTool } from './requests.ts';

const protocols: Readonly<Record<Protocol, GenerationProtocol>> = {
  openai: openaiChat,
  'openai-responses': openaiResponses,
  anthropic: anthropicMessages,
  google: googleGenerateContent,
  bedrock: bedrockConverse,
  cohere: cohereChat,
};

const recordings = [...chatRecordings(), ...responsesRecordings()];
/** A stream that turns into another message. */
const broken = 'anthropic/spliced-message-start.chunks.txt';
const hasFailed = ({ status, body, name }: Recording): boolean =>
  status >= 400 || name === broken || /"error":\{|"type":"response\.failed"/.test(body.toString('latin1'));
const answers = recordings.filter((recording) => !hasFailed(recording));
const failures = recordings.filter(hasFailed);

function find(name: string): Recording {
  const recording = recordings.find((candidate) => candidate.name === name);
  if (!recording) throw new Error(`no recording ${name}`);
  return recording;
}

const decode = (recording: Recording) => decodeRecording(protocols[recording.protocol], recording);

const failureOf = ({ protocol, status, body }: Recording): GatewayError =>
  protocols[protocol].readFailure({ status, headers: {}, body: body.toString() });

describe.skipIf(!hasRecordings)('recorded answers', () => {
  test('are of every protocol and host', () => {
    const hosts = new Set(recordings.map(({ protocol, provider }) => `${protocol} ${provider}`));
    expect(hosts.size).toBe(15);
    expect(answers.length).toBeGreaterThan(100);
    expect(failures.length).toBeGreaterThan(12);
  });

  test.each(answers)('$name', async (recording) => {
    const { name } = recording;
    const events = await decode(recording);
    expectGrammar(events);
    const { choices, usage } = fold(events);
    const { text, reasoning, refusal, calls, finish } = only(events);
    const isEmpty = `${text}${reasoning}${refusal}${calls.map((call) => call.name)}` === '';
    expect(isEmpty).toBe(/armor|google.*max_tokens/.test(name));
    expect(calls.length > 0).toBe(finish.includes('tool_calls'));
    expect(Object.keys(choices)).not.toStrictEqual([]);
    if (!/openai-compatible|prompt_template|amazon-bedrock-json-with-tools/.test(name))
      expect(usage?.promptTokens).toBeGreaterThan(0);
    expect(usage?.reasoningTokens ?? 0).toBeLessThanOrEqual(usage?.completionTokens ?? 0);
  });

  test.each([
    ...['anthropic-text', 'anthropic-tool-no-args', 'anthropic-refusal', 'anthropic-web-search-tool.1'],
    ...['amazon-bedrock-text', 'amazon-bedrock-reasoning', 'amazon-bedrock-tool-call.1'],
  ])('%s has the same types of events streamed or not', async (name) => {
    const path = `${name.startsWith('amazon') ? 'bedrock' : 'anthropic'}/${name}`;
    const [body, stream] = [await decode(find(`${path}.json`)), await decode(find(`${path}.chunks.txt`))];
    const kinds = (events: typeof body) => new Set(events.map((event) => event.type));
    expect(only(stream).finish).toStrictEqual(only(body).finish);
    expect(kinds(stream)).toStrictEqual(kinds(body));
  });

  test('have calls whose arguments were streamed in pieces', async () => {
    const { calls, details } = only(
      await decode(find('google/google-stream-tool-call-arguments.chunks.txt')),
    );
    const places = calls.map(({ arguments: text }) => JSON.parse(text));
    expect(places).toStrictEqual([{ location: 'Boston' }, { location: 'San Francisco' }]);
    expect(details).toMatchObject([{ id: calls[0]?.id }]);
  });

  test('count tokens written to a cache and read from it as part of the prompt', async () => {
    const file = 'bedrock/test_bedrock_cache_write_and_read.cassette.json';
    const [written, read] = [await decode(find(`${file} #0`)), await decode(find(`${file} #1`))];
    const promptTokens = 1324;
    expect(fold(written).usage).toMatchObject({ promptTokens, cacheWriteTokens: 1322, cachedTokens: 0 });
    expect(fold(read).usage).toMatchObject({ promptTokens, cacheWriteTokens: 0, cachedTokens: 1322 });
  });
});

describe.skipIf(!hasRecordings)('recorded failures', () => {
  test.each(failures)('$name', async (recording) => {
    const isStatus = recording.status >= 400;
    const error = isStatus ? failureOf(recording) : await decode(recording).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    if (recording.protocol === 'openai-responses')
      expect(['upstream_bad_request', 'upstream_quota']).toContain(error.kind);
  });

  test.each([
    [broken, { kind: 'upstream_invalid_answer' }],
    ['openai-responses/openai-error.1.chunks.txt', { kind: 'upstream_quota' }],
  ])('%s is an error inside a stream', async (name, error) => {
    await expect(decode(find(name))).rejects.toMatchObject(error);
  });

  test.each<[Protocol, number, object]>([
    ['anthropic', 400, { kind: 'upstream_bad_request', message: expect.stringContaining("'xhigh'") }],
    ['bedrock', 400, { kind: 'upstream_model_missing' }],
    ['google', 429, { kind: 'upstream_rate_limited', retryAfterMs: 34_400 }],
  ])('%s, %i', (protocol, status, error) => {
    const recording = failures.find((one) => one.protocol === protocol && one.status === status);
    expect(recording && failureOf(recording)).toMatchObject(error);
  });
});

describe.skipIf(!hasRecordings)('a recorded stream of Responses', () => {
  const streams = answers.filter(({ protocol, stream }) => protocol === 'openai-responses' && stream);

  /** The response that a stream ends with. */
  const finalOf = (frames: readonly { readonly data: string }[]): JsonObject =>
    asObject(asObject(parseJson(frames.at(-1)?.data ?? '')).response);

  test.each(streams)('$name has the same events as the response that it ends with', async (recording) => {
    const frames = await framesOf(openaiResponses, recording.body);
    const stream = decodeFrames(openaiResponses, frames);
    const body = openaiResponses.decodeBody(finalOf(frames));
    expect(comparable(stream)).toStrictEqual(comparable(body));
    expect(only(stream).logprobs).toStrictEqual(only(body).logprobs);
    expect(stream.at(-1)).toStrictEqual(body.at(-1));
  });

  test.each(streams)('$name is emitted as it arrives', async ({ body }) => {
    const frames = await framesOf(openaiResponses, body);
    const decoder = openaiResponses.decodeStream();
    const early = frames.slice(0, -1).flatMap((frame) => decoder.onFrame(frame));
    const late = frames.slice(-1).flatMap((frame) => decoder.onFrame(frame));
    expect(early.length).toBeGreaterThan(1);
    expect(late.map(({ type }) => type)).toStrictEqual(['finish', 'usage']);
  });
});

/**
 * The content of an answer in either form: sources and log probabilities are between the pieces of a streamed text. One
 * host encrypts the same reasoning differently in each event, and one changes the ids of items.
 */
function comparable(events: readonly GenerationEvent[]): readonly string[] {
  const isAside = ({ type }: GenerationEvent) => type === 'annotation' || type === 'logprobs';
  const reported = events.filter((event) => !isAside(event) && event.type !== 'start');
  const annotations = events.filter(({ type }) => type === 'annotation');
  return [...joined(reported), ...annotations].map((event) =>
    JSON.stringify(event, (key, value) => (key === 'data' || key === 'id' ? '' : value)),
  );
}

describe.skipIf(!hasRecordings)(
  "Anthropic's recorded streams, as Bedrock would send them, pass on and mean the same",
  () => {
    const streams = recordings.filter(({ protocol, stream }) => protocol === 'anthropic' && stream);

    /** The events, and the kind of the error that ends them. */
    async function eventsOf(protocol: GenerationProtocol, body: Uint8Array, pieceBytes: number) {
      const decoder = protocol.decodeStream('original');
      const seen: (GenerationEvent | string)[] = [];
      try {
        for (const frame of await framesOf(protocol, body, pieceBytes)) seen.push(...decoder.onFrame(frame));
        seen.push(...decoder.onEnd());
      } catch (thrown) {
        seen.push(thrown instanceof GatewayError ? thrown.kind : String(thrown));
      }
      return seen;
    }

    test.each(streams)('$name', async ({ body }) => {
      const frames = await framesOf(anthropicMessages, body);
      const wrapped = Buffer.concat(frames.map(({ data }) => wrapEvent(data)));
      const seen = await eventsOf(bedrockInvoke, wrapped, 999);
      expect(seen).toStrictEqual(await eventsOf(anthropicMessages, body, body.length));
      expect(seen.length).toBeGreaterThan(3);
      if (wrapped.length > 8_000) return;
      expect(await eventsOf(bedrockInvoke, wrapped, 1)).toStrictEqual(seen);
    });
  },
);

/** The body of a request of a cassette. */
function requestOf(file: string, interaction: number): JsonObject {
  const cassette = asObject(JSON.parse(readFileSync(join(recordingsFolder, file), 'utf8')));
  return asObject(asObject(asObject(asArray(cassette.interactions)[interaction]).request).body);
}

/** A conversation about the weather in Paris, as recorded clients had it. */
const aboutParis = (
  call: { id: string },
  result: string,
  others: Partial<AssistantMessage> = {},
  strict = {},
) =>
  newRequest(
    [
      user("What's the weather in Paris?"),
      assistant('', {
        toolCalls: [{ ...call, name: 'get_weather', arguments: '{"city":"Paris"}' }],
        ...others,
      }),
      tool(call.id, result),
    ],
    { tool_choice: 'auto' },
    {
      tools: [
        {
          ...weatherTool,
          description: 'Get the current weather for a city.',
          parameters: { ...weatherTool.parameters, additionalProperties: false },
          ...strict,
        },
      ],
    },
  );

describe.skipIf(!hasRecordings)('what was recorded is sent back unchanged', () => {
  test.each([
    'anthropic/test_tool_choice_matrix_auto-anthropic',
    'anthropic/test_multiple_parallel_tool_calls',
    'anthropic/test_anthropic_tool_with_thinking',
    'anthropic/test_anthropic_model_thinking_part',
    'anthropic/test_anthropic_model_thinking_part_redacted',
    'bedrock/test_tool_choice_matrix_auto-bedrock',
  ])('the answer of %s', async (name) => {
    const file = `${name}.cassette.json`;
    const recording = find(`${file} #0`);
    const answer = answerAsMessage(await decode(recording));
    const request = newRequest([user('Go'), answer, user('On')]);
    const turns = asArray(requestOf(file, 1).messages).map(asObject);
    expect(protocols[recording.protocol].encode(request, newTarget()).messages).toContainEqual(
      turns.find(({ role }) => role === 'assistant'),
    );
  });

  test('redacted reasoning of Bedrock, byte for byte', async () => {
    const recording = recordings.find(({ name }) => /^bedrock.*thinking_part_redacted_stream/.test(name));
    const answer = answerAsMessage(recording ? await decode(recording) : []);
    const body = JSON.stringify(bedrockConverse.encode(newRequest([user('Go'), answer]), newTarget()));
    const redactedIn = (text = '') =>
      Array.from(text.matchAll(/"redactedContent":"([^"]+)"/g), ([, data]) => data);
    expect(redactedIn(body).length).toBeGreaterThan(0);
    expect(redactedIn(body)).toStrictEqual(redactedIn(recording?.body.toString('latin1')));
  });

  test('a tool round trip with OpenAI', () => {
    const { stream: _, ...sent } = requestOf(
      'openai-chat/test_tool_choice_matrix_auto-openai.cassette.json',
      1,
    );
    const call = { id: 'call_aDdJTteHrpMdhdkEkyxjxEHH' };
    const request = aboutParis(call, 'Sunny, 22C in Paris', {}, { strict: true });
    expect(openaiChat.encode(request, newTarget({}, 'gpt-5-mini'))).toStrictEqual(sent);
  });

  test('a tool round trip with Google', () => {
    const sent = requestOf('google/test_tool_choice_matrix_auto-google.cassette.json', 1);
    const [, asked] = asArray(sent.contents).map(asObject);
    const data = String(asObject(asArray(asked?.parts)[0]).thoughtSignature);
    const detail = {
      type: 'reasoning.encrypted',
      data,
      id: 'a',
      format: 'google-gemini-v1',
      index: 0,
    } as const;
    const result = '{"return_value":"Sunny, 22C in Paris"}';
    // The recording client sent its own ids, the older spelling of one field, and the default response format.
    const { generationConfig: __, ...expected } = JSON.parse(
      JSON.stringify(sent, (key, value) => (key === 'id' ? undefined : value)).replace(
        'parameters_json_schema',
        'parametersJsonSchema',
      ),
    );
    const request = aboutParis({ id: 'a' }, result, { reasoningDetails: [detail] });
    expect(googleGenerateContent.encode(request, newTarget())).toStrictEqual(expected);
  });
});

describe.skipIf(!hasRecordings)('recorded items of Responses are sent back unchanged', () => {
  const reasoner = newTarget({ reasoning: { style: 'effort', efforts: ['low'], defaultEffort: 'low' } });
  const encode = (...messages: readonly Message[]) =>
    asArray(openaiResponses.encode(newRequest(messages), reasoner).input).map(asObject);

  /** The answer as the gateway stores it: each piece with its position. */
  function placed(events: readonly GenerationEvent[]): AssistantMessage {
    const answer = answerAsMessage(events);
    const details = answer.reasoningDetails.map((detail) => ({ ...detail, position: 0 }));
    const toolCalls = answer.toolCalls.map((call, index) => ({ ...call, position: index + 1 }));
    const content = answer.content.map((text) => ({ ...text, position: 1 }));
    return { ...answer, content: toolCalls.length > 0 ? [] : content, toolCalls, reasoningDetails: details };
  }

  test.each([placed, answerAsMessage])('encrypted reasoning over four turns, byte for byte', async (keep) => {
    const conversation: Message[] = [user('Compute.')];
    const expected: unknown[] = [];
    for (const turn of [0, 1, 2, 3]) {
      const { body } = find(`openai-responses/openai-reasoning-encrypted-content.1.chunks.txt #${turn}`);
      const frames = await framesOf(openaiResponses, body);
      const answer = keep(decodeFrames(openaiResponses, frames));
      conversation.push(answer, ...answer.toolCalls.map(({ id }) => tool(id, 'Done.')));
      const events = frames.map(({ data }) => asObject(parseJson(data)));
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      expected.push(...done.map(({ item }) => withoutOwnMarks(asObject(item))));
    }
    const sent = encode(...conversation).filter(
      ({ type, role }) => role !== 'user' && type !== 'function_call_output',
    );
    expect(sent).toStrictEqual(expected);
    const reasoning = sent.filter(({ type }) => type === 'reasoning');
    expect(reasoning.map(({ encrypted_content }) => asText(encrypted_content).length)).toStrictEqual([1060]);
  });

  /** What a host adds to an item that it does not need back. */
  function withoutOwnMarks({ status: _, id, ...item }: JsonObject): JsonObject {
    if (item.type === 'reasoning') return { id, ...item };
    if (item.type !== 'message') return item;
    const parts = asArray(item.content).map(asObject);
    return { ...item, content: parts.map(({ logprobs: __, ...part }) => part) };
  }

  test('a tool round trip', async () => {
    const name = 'openai-responses/test_tool_choice_matrix_auto-openai_responses.cassette.json';
    const answer = answerAsMessage(await decode(find(`${name} #0`)));
    const result = tool(answer.toolCalls[0]?.id ?? '', 'Sunny, 22C in Paris');
    const recorded = asArray(requestOf(name, 1).input).map(asObject);
    const plain = (items: readonly JsonObject[]) =>
      items.map(({ type = 'message', id, ...item }) => ({
        type,
        ...item,
        ...(type === 'reasoning' && { id }),
      }));
    expect(plain(encode(user("What's the weather in Paris?"), answer, result))).toStrictEqual(
      plain(recorded),
    );
    expect(answer.reasoningDetails).toMatchObject([{ type: 'reasoning.encrypted', format }]);
  });
});

describe.skipIf(!hasRecordings)("recorded traffic of OpenAI's images API", () => {
  const recorded = (name: string) => readFileSync(join(recordingsFolder, 'openai-images', name), 'utf8');

  test('of an older model has no usage, and its revised prompts are omitted', () => {
    const body = JSON.parse(recorded('openai-image.json')) as { data: { b64_json: string }[] };
    const answer = openaiImages.decode(body, (text) => [text]);
    const images = answer.images.map((image) => [...image].join(''));
    expect(images).toStrictEqual(body.data.map(({ b64_json }) => b64_json));
    expect(answer).toStrictEqual({ images: answer.images, usage: undefined });
  });

  test('of GPT Image has a rejection that names the field', () => {
    const body = recorded('gpt-image-response-format-error.json');
    expect(openaiImages.readFailure({ status: 400, headers: {}, body })).toMatchObject({
      kind: 'upstream_bad_request',
      upstreamParam: 'response_format',
      code: 'unknown_parameter',
      recovery: 'none',
    });
  });
});
