/** Audio that breaks off, has no end, or is left: never whole, and never free. */

import { expect, test } from 'vitest';
import type { SpeechFormat } from '../../lib/core/catalog/model.ts';
import { callSpeech } from '../../lib/pipeline/call-speech.ts';
import { createRequestMedia } from '../../lib/pipeline/media/request-media.ts';
import { alibabaSpeech } from '../../lib/protocols/alibaba-speech.ts';
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
  readonly format?: SpeechFormat;
};

const never = () => Promise.reject(new Error('It is not used.'));

async function call({ protocol, body, characters, type = 'audio/mpeg', events, format }: Case) {
  const target = testTarget();
  const asked = {
    ...request,
    parameters: { ...request.parameters, ...(format && { response_format: format }) },
  };
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
    { provider, protocol, target: speaking, request: asked },
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

const delta = (audio: string | Buffer) =>
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

test('characters that the provider counts are estimated until it has', async () => {
  const audio = { data: Buffer.from('one').toString('base64') };
  const piece = `data: ${JSON.stringify({ output: { audio, finish_reason: 'null' } })}\n\n`;
  const called = await call({ protocol: alibabaSpeech, body: [piece], characters: 10 });
  await expect(read(called)).rejects.toMatchObject({ kind: 'upstream_cut' });
  expect(called.attempt).toMatchObject({ estimated: true, usage: { characters: 18 } });
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
    'a failure that has no error',
    { protocol: alibabaSpeech, body: ['data: {"code":"InternalError","message":"no"}\n\n'] },
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

const aSecond = Buffer.alloc(48_000).toString('base64');
const ofGoogle = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ inlineData: { data: aSecond } }] } }] })}\n\n`;

/** MPEG 2, layer 3, 24,000 Hz, 160 kbit/s: 25 frames of 480 bytes and 24 ms. */
const mp3Frame = Buffer.alloc(480);
mp3Frame.writeUInt32BE(0xfff3_e400);
const ofFrames = delta(Buffer.concat(Array.from({ length: 25 }, () => mp3Frame)));

test.each([
  ['samples of Gemini', { protocol: googleSpeech }, ofGoogle, 60],
  [
    'samples of OpenAI',
    { protocol: openaiSpeech, events: true, format: 'pcm' },
    delta(Buffer.alloc(48_000)),
    60,
  ],
  ['MP3', { protocol: openaiSpeech, events: true }, ofFrames, 99],
] satisfies [string, Omit<Case, 'body'>, string, number][])(
  '%s that go on and on are ended after a minute, and charged for as so long',
  async (_, given, piece, whole) => {
    const pieces = (count: number) => Array.from({ length: count }, () => piece);
    const short = await call({ ...given, body: pieces(whole) });
    await expect(read(short)).rejects.toMatchObject({ kind: 'upstream_cut' });
    const long = await call({ ...given, body: pieces(whole + 2) });
    await expect(read(long)).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
    expect(long.attempt.usage?.completionTokens).toBeGreaterThan(60 * 25);
  },
);
