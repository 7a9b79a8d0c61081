/** Recorded traffic of the OpenAI Responses protocol: answers in both forms, failures, and what is sent back to the host. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { asArray, asObject } from '../../../lib/core/formats/json-object.ts';
import { parseJson } from '../../../lib/core/formats/parse-json.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { AssistantMessage, JsonObject, Message } from '../../../lib/core/generation/request.ts';
import { asText } from '../../../lib/protocols/json.ts';
import { readFrames } from '../../harness/frames.ts';
import { decodeFrames, errorOf, expectGrammar, fold, joined, only } from '../answer.ts';
import { answerAsMessage, brokenRules } from '../recorded.ts';
import { newRequest, newTarget, tool, user } from '../requests.ts';
import { hasTraffic, type Recording, readTraffic } from '../traffic.ts';
import { format, protocol } from './frames.ts';

const folders = ['openai-responses', 'xai-responses', 'open-responses', 'deepseek'];

/** One file has four streams, one after the other. */
function splitStreams(recording: Recording): readonly Recording[] {
  const { frames = [], name } = recording;
  const starts = frames.flatMap(({ data }, at) => (typeOf(data) === 'response.created' ? [at] : []));
  if (starts.length < 2) return [recording];
  return starts.map((start, turn) => ({
    ...recording,
    name: `${name}#${turn}`,
    frames: frames.slice(start, starts[turn + 1]),
  }));
}

const typeOf = (data: string) => asText(asObject(parseJson(data)).type);

const recordings = readTraffic(folders)
  .filter(({ name }) => !name.startsWith('deepseek/') || name.includes('responses'))
  .flatMap(splitStreams);
const hasFailed = ({ status, body, frames = [] }: Recording): boolean =>
  status >= 400 ||
  asObject(asObject(body).error).message !== undefined ||
  frames.some(({ data }) => typeOf(data) === 'response.failed');
const answers = recordings.filter((recording) => !hasFailed(recording));
const failures = recordings.filter(hasFailed);

const decode = ({ frames, body }: Recording): readonly GenerationEvent[] =>
  frames ? decodeFrames(protocol, frames) : protocol.decodeBody(body);

function find(name: string): Recording {
  const recording = recordings.find((candidate) => candidate.name === name);
  if (!recording) throw new Error(`no recording ${name}`);
  return recording;
}

/** The response that a stream ends with. */
function finalOf({ frames = [] }: Recording): JsonObject {
  return asObject(asObject(parseJson(frames.at(-1)?.data ?? '')).response);
}

const named = (list: readonly Recording[]) => list.map((recording) => [recording.name, recording] as const);

describe.skipIf(!hasTraffic)('recorded answers', () => {
  test('exist', () => {
    expect(answers.length).toBeGreaterThan(15);
    expect(failures.length).toBeGreaterThan(4);
  });

  test.each(named(answers))('%s follows the rules for answers', (_, recording) => {
    const events = decode(recording);
    expectGrammar(events);
    expect(brokenRules(events)).toEqual([]);
    const { text, calls } = only(events);
    expect(text.length + calls.length).toBeGreaterThan(0);
    expect(fold(events).usage?.promptTokens).toBeGreaterThan(0);
  });

  const streams = answers.filter(({ frames }) => frames !== undefined);
  test.each(named(streams))('%s has the same events as the response that it ends with', (_, recording) => {
    const stream = decode(recording);
    const body = protocol.decodeBody(finalOf(recording));
    expect(comparable(stream)).toEqual(comparable(body));
    expect(only(stream).logprobs).toEqual(only(body).logprobs);
    expect(stream.at(-1)).toEqual(body.at(-1));
  });

  test.each(named(streams))('%s is the same byte by byte', async (_, recording) => {
    const text = recording.frames?.map(({ data }) => `data: ${data}\n\n`).join('') ?? '';
    const frames = await Array.fromAsync(readFrames(singleBytes(text), protocol.framing));
    expect(decodeFrames(protocol, frames)).toEqual(decode(recording));
  });

  test.each(named(streams))('%s is emitted as it arrives', (_, recording) => {
    const decoder = protocol.decodeStream();
    const last = recording.frames?.at(-1);
    const early = recording.frames?.slice(0, -1).flatMap((frame) => decoder.onFrame(frame)) ?? [];
    const late = last ? decoder.onFrame(last).map(({ type }) => type) : [];
    expect(early.length).toBeGreaterThan(1);
    expect(late).toEqual(['finish', 'usage']);
  });
});

async function* singleBytes(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}

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

describe.skipIf(!hasTraffic)('recorded failures', () => {
  test.each(named(failures))('%s', (_, recording) => {
    const { status, body, frames } = recording;
    const isStream = frames?.some(({ data }) => typeOf(data) !== '') ?? false;
    const text = body === undefined ? '{"error":{"message":"No tool output found."}}' : JSON.stringify(body);
    const error = isStream
      ? errorOf(() => decode(recording))
      : protocol.readFailure({ status: Math.max(status, 400), headers: {}, body: text });
    expect(error).toBeInstanceOf(GatewayError);
    expect(['upstream_bad_request', 'upstream_quota']).toContain(error.kind);
  });

  test('an error inside a 200 is classified by its code', () => {
    const error = errorOf(() => decode(find('openai-responses/openai-error.1.chunks.txt')));
    expect(error.kind).toBe('upstream_quota');
  });
});

describe.skipIf(!hasTraffic)('recorded answers are sent back unchanged', () => {
  const reasoner = newTarget({ reasoning: { style: 'effort', efforts: ['low'], defaultEffort: 'low' } });

  const encode = (...messages: readonly Message[]) =>
    asArray(protocol.encode(newRequest(messages), reasoner).input).map(asObject);

  /** The answer as the gateway stores it: each piece with its position. */
  function placed(events: readonly GenerationEvent[]): AssistantMessage {
    const answer = answerAsMessage(events);
    const details = answer.reasoningDetails.map((detail) => ({ ...detail, position: 0 }));
    const toolCalls = answer.toolCalls.map((call, index) => ({ ...call, position: index + 1 }));
    const content = answer.content.map((text) => ({ ...text, position: 1 }));
    return { ...answer, content: toolCalls.length > 0 ? [] : content, toolCalls, reasoningDetails: details };
  }

  test.each([placed, answerAsMessage])('encrypted reasoning over four turns, byte for byte', (keep) => {
    const turns = [0, 1, 2, 3].map((turn) =>
      find(`openai-responses/openai-reasoning-encrypted-content.1.chunks.txt#${turn}`),
    );
    const conversation: Message[] = [user('Compute.')];
    const expected: unknown[] = [];
    for (const turn of turns) {
      const answer = keep(decode(turn));
      const results = answer.toolCalls.map(({ id }) => tool(id, 'Done.'));
      conversation.push(answer, ...results);
      expected.push(
        ...(turn.frames ?? [])
          .map(({ data }) => asObject(parseJson(data)))
          .filter(({ type }) => type === 'response.output_item.done')
          .map(({ item }) => withoutOwnMarks(asObject(item))),
      );
    }
    const sent = encode(...conversation).filter(
      ({ type, role }) => role !== 'user' && type !== 'function_call_output',
    );
    expect(sent).toEqual(expected);
    const reasoning = sent.filter(({ type }) => type === 'reasoning');
    expect(reasoning.map(({ encrypted_content }) => asText(encrypted_content).length)).toEqual([1060]);
  });

  /** What a host adds to an item that it does not need back. */
  function withoutOwnMarks({ status: _, id, ...item }: JsonObject): JsonObject {
    if (item.type === 'reasoning') return { id, ...item };
    if (item.type !== 'message') return item;
    return {
      ...item,
      content: asArray(item.content)
        .map(asObject)
        .map(({ logprobs: __, ...part }) => part),
    };
  }

  test('a tool round trip, as the recorded client sent it', () => {
    const name = 'openai-responses/test_tool_choice_matrix_auto-openai_responses.cassette.json';
    const answer = answerAsMessage(decode(find(`${name}#0`)));
    const [call] = answer.toolCalls;
    const sent = encode(
      user("What's the weather in Paris?"),
      answer,
      tool(call?.id ?? '', 'Sunny, 22C in Paris'),
    );
    const recorded = asArray(find(`${name}#1`).request?.input).map(asObject);
    const plain = (items: readonly JsonObject[]) =>
      items.map(({ type = 'message', id, ...item }) => ({
        type,
        ...item,
        ...(type === 'reasoning' && { id }),
      }));
    expect(plain(sent)).toEqual(plain(recorded));
    expect(answer.reasoningDetails).toMatchObject([{ type: 'reasoning.encrypted', format }]);
  });
});
