/** Recorded provider traffic through the whole gateway, by each operation: nothing is lost, and clients can read everything. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { brokenRecordings, useRecordedGateway } from '../harness/gateways/recorded-gateway.ts';
import { checkedMessage, type MessageSeen, readMessagesStream } from '../harness/messages.ts';
import { hasOpenAiSchema, openAiSchema } from '../harness/openai-schema.ts';
import {
  chatRecordings,
  hasRecordings,
  type Recording,
  responsesRecordings,
} from '../harness/recorded/recordings.ts';
import { asAnswer, seenIn } from '../harness/responses/response-protocols.ts';
import { readResponseStream } from '../harness/responses/response-stream.ts';

/** Failures that are not the caller's: a wrong model id in the catalog. */
const notTheCallers = new Map([
  ['bedrock/test_bedrock_error.cassette.json #0', 503],
  ['groq/test_tool_regular_error.cassette.json #0', 503],
]);

const ask = useRecordedGateway();
const messages = [{ role: 'user', content: 'Hello.' }];

const chat = (recording: Recording) =>
  ask('/v1/chat/completions', recording, {
    messages,
    ...(recording.stream && { stream_options: { include_usage: true } }),
  });

const respond = (recording: Recording) => ask('/v1/responses', recording, { input: 'Hello.' });

/** What OpenAI answered by its Responses protocol comes from a model that has no other one. */
const message = (recording: Recording) => {
  const more = { max_tokens: 4096, messages, thinking: { type: 'adaptive' } };
  if (recording.protocol !== 'openai-responses') return ask('/v1/messages', recording, more);
  const served = { ...recording, provider: 'openai' };
  return ask('/v1/messages', served, { model: 'openai/gpt-5.3-codex', ...more });
};

/** Answers of Anthropic's pass as they came. */
const optionsOf = ({ protocol }: Recording) => ({ isOriginal: protocol === 'anthropic' });

const kindsOf = (recordings: readonly Recording[]) => ({
  whole: recordings.filter(({ stream, status }) => !stream && status === 200),
  streams: recordings.filter(({ stream, name }) => stream && !broken.has(name)),
  failures: recordings.filter(({ status }) => status !== 200),
});

/** Streams that must not be a success. */
const broken = new Set([...brokenRecordings, 'openai-responses/openai-error.1.chunks.txt']);
const ofChat = kindsOf(chatRecordings());
const all = [...chatRecordings(), ...responsesRecordings()];
const ofMessages = kindsOf(all);

describe.skipIf(!hasRecordings || !hasOpenAiSchema)('in chat', () => {
  test.each(ofChat.whole)('the body of $name satisfies the public schema', async (recording) => {
    const response = await chat(recording);
    expect(response.status).toBe(200);
    const body = (await response.json()) as { readonly usage?: object };
    expect(openAiSchema('CreateChatCompletionResponse')(body)).toEqual([]);
    expect(body.usage !== undefined).toBe(/TokenCount|_tokens|Tokens"/.test(recording.body.toString()));
  });

  test.each(ofChat.streams)('the stream of $name satisfies the grammar and the schema', async (recording) => {
    const response = await chat(recording);
    expect(response.status).toBe(200);
    const seen = readChatStream(await response.text());
    expect(seen.error).toBeUndefined();
    expect(seen.choices.size).toBeGreaterThan(0);
    const check = openAiSchema('CreateChatCompletionStreamResponse');
    expect(seen.chunks.flatMap(check)).toEqual([]);
  });

  test.each(ofChat.failures)('the failure of $name is an error of the gateway', async (recording) => {
    const response = await chat(recording);
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
});

describe.skipIf(!hasRecordings)('in Messages', () => {
  test.each(ofMessages.whole)('the body of $name is a whole message', async (recording) => {
    const response = await message(recording);
    expect(response.status).toBe(200);
    checkedMessage((await response.json()) as MessageSeen, optionsOf(recording));
  });

  test.each(ofMessages.streams)('the stream of $name is by the grammar', async (recording) => {
    const seen = readMessagesStream(await (await message(recording)).text(), optionsOf(recording));
    expect(seen.error).toBeUndefined();
  });

  test.each(ofMessages.failures)('the failure of $name is an error of Anthropic’s', async (recording) => {
    const response = await message(recording);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toEqual({
      type: 'error',
      error: expect.objectContaining({ type: expect.any(String), message: expect.any(String) }),
      request_id: expect.any(String),
    });
  });
});

describe.skipIf(!hasRecordings)('in Responses', () => {
  /** The others are asked by their own Responses protocol. */
  const translated = ofChat.streams.filter(({ provider, status }) => {
    return provider !== 'openai' && provider !== 'xai' && status === 200;
  });

  test('exists for every provider', () => {
    expect(new Set(translated.map(({ provider }) => provider)).size).toBeGreaterThan(8);
  });

  test.each(translated)('the stream of $name has the content that it has in chat', async (recording) => {
    const { response } = readResponseStream(await (await respond(recording)).text());
    expect(['completed', 'incomplete']).toContain(response.status);
    const { choices, usage } = readChatStream(await (await chat(recording)).text());
    const seen = choices.get(0);
    if (!seen) throw new Error('Chat has an answer.');
    expect(seenIn(response)).toEqual(asAnswer({ ...seen, usage }));
  });
});

describe.skipIf(!hasRecordings)('a broken stream is not a success', () => {
  test.each(all.filter(({ name }) => broken.has(name)))('$name', async (recording) => {
    const inMessages = await message(recording);
    if (inMessages.status === 200)
      expect(readMessagesStream(await inMessages.text(), optionsOf(recording)).error).toBeDefined();
    if (recording.protocol === 'openai-responses') return;
    const inChat = await chat(recording);
    if (inChat.status === 200) expect(readChatStream(await inChat.text()).error).toBeDefined();
    const answer = await respond(recording);
    if (answer.status === 200) expect(readResponseStream(await answer.text()).response.status).toBe('failed');
  });
});
