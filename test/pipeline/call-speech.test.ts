/** Audio that breaks off, has no end, or is left: never whole, and never free. */

import { expect, test } from 'vitest';
import { callSpeech } from '../../lib/pipeline/call-speech.ts';
import { createRequestMedia } from '../../lib/pipeline/media/request-media.ts';
import { googleSpeech } from '../../lib/protocols/google-speech.ts';
import { openaiSpeech } from '../../lib/protocols/openai-speech.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testAttempt } from '../harness/ledger.ts';
import { testTarget } from '../harness/matrix/model.ts';

const provider: Provider = {
  name: 'acme',
  isConfigured: () => true,
  baseUrl: () => 'https://acme.example/v1',
  authorize: (request) => request,
};

const request = { input: 'Twelve characters.', parameters: { voice: 'any' } };

type Case = Pick<Parameters<typeof callSpeech>[0], 'protocol'> & {
  readonly body: readonly string[];
  readonly characters?: number;
  readonly type?: string;
  readonly events?: boolean;
};

const never = () => Promise.reject(new Error('It is not used.'));

async function call({ protocol, body, characters, type = 'audio/mpeg', events }: Case) {
  const target = testTarget();
  const { model } = target;
  const speaking = events
    ? { ...target, model: { ...model, traits: { ...model.traits, speech: { countsTokens: true } } } }
    : target;
  const price = {
    input: 1,
    output: 1,
    cachedInput: null,
    cacheWrite: null,
    ...(characters && { characters }),
  };
  const attempt = { ...testAttempt(), price: { from: 0, price } };
  delete attempt.usage;
  const answer = callSpeech(
    { provider, protocol, target: speaking, request },
    {
      connections: connectionsBy(async () => {
        async function* bytes() {
          for (const piece of body) yield Buffer.from(piece);
        }
        return { status: 200, headers: { 'content-type': type }, body: bytes() };
      }),
      media: createRequestMedia(never),
      signal: new AbortController().signal,
      tenant: undefined,
      firstOutputMs: undefined,
      attempt,
    },
  );
  return { answer, attempt };
}

const read = async ({ answer }: Awaited<ReturnType<typeof call>>) =>
  Buffer.concat(await Array.fromAsync((await answer).audio));

const delta = (audio: string) =>
  `data: ${JSON.stringify({ type: 'speech.audio.delta', audio: Buffer.from(audio).toString('base64') })}\n\n`;

test('bytes are charged for by the text, also where their reader leaves', async () => {
  const called = await call({ protocol: openaiSpeech, body: ['a', 'b'], characters: 15 });
  for await (const piece of (await called.answer).audio) {
    expect(Buffer.from(piece).toString()).toBe('a');
    break;
  }
  expect(called.attempt.usage).toMatchObject({ characters: 18, promptTokens: 0 });
  expect(called.attempt).not.toHaveProperty('estimated');
});

test('events without a last one have broken off, and are estimated', async () => {
  const called = await call({ protocol: openaiSpeech, events: true, body: [delta('one')] });
  await expect(read(called)).rejects.toMatchObject({ kind: 'upstream_cut' });
  expect(called.attempt).toMatchObject({ estimated: true, usage: { completionTokens: 33 } });
});

test.each([
  ['no audio', { protocol: openaiSpeech, body: [] }, 'upstream_cut'],
  [
    'JSON in place of audio',
    { protocol: openaiSpeech, body: ['{}'], type: 'application/json' },
    'upstream_invalid_answer',
  ],
  [
    'an error in place of an event',
    {
      protocol: openaiSpeech,
      events: true,
      body: ['data: {"error":{"message":"no","type":"server_error"}}\n\n'],
    },
    'upstream_failed',
  ],
  [
    'a blocked text',
    { protocol: googleSpeech, body: ['data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n'] },
    'upstream_content_policy',
  ],
] satisfies [string, Case, string][])(
  '%s is a failure before the first byte, so that another target is asked',
  async (_, given, kind) => {
    const { answer, attempt } = await call({ ...given, characters: 15 });
    await expect(answer).rejects.toMatchObject({ kind });
    expect(attempt.usage).not.toHaveProperty('characters');
  },
);

/** A second more than a minute of samples. */
const endless = Array.from({ length: 61 }, () => {
  const data = Buffer.alloc(48_000).toString('base64');
  return `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ inlineData: { data } }] } }] })}\n\n`;
});

test('audio that goes on and on is ended, so that it costs no more than was reserved for it', async () => {
  const called = await call({ protocol: googleSpeech, body: endless });
  await expect(read(called)).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
});
