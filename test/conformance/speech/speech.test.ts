/** Speech has one form for every provider: bytes and events, formats, voices, errors and money. */
import OpenAI from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { audioOf } from '../../../sandbox/speech.ts';
import { databaseEndpoint } from '../../harness/gateways/environment.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { addPinnedModels } from '../../harness/matrix/pinned-models.ts';

const onVertex = 'google/gemini-3.8-flash-tts:google-vertex';

const gateway = useGateway();
beforeAll(() => addPinnedModels(onVertex));

const input = 'The lamp of the lighthouse turns all night long.';

interface SpeechEvent {
  readonly type: string;
  readonly audio?: string;
  readonly usage?: { readonly total_tokens?: number; readonly characters?: number; readonly cost?: number };
  readonly debug?: { readonly normalizations?: readonly object[] };
}

const speak = (body: object, headers = {}) =>
  gateway().post('/v1/audio/speech', { model: 'openai/tts-1', input, voice: 'alloy', ...body }, headers);

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function eventsOf(response: Response): Promise<readonly SpeechEvent[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .flatMap((event) => (event === '' ? [] : JSON.parse(event.replace(/^data: /, ''))));
}

const compressed = Buffer.concat(audioOf(input, 2_000));
const samples = Buffer.concat(audioOf(input, 48_000));

const rows = [
  { model: 'openai/tts-1', type: 'audio/mpeg', audio: compressed },
  { model: 'openai/gpt-4o-mini-tts', type: 'audio/mpeg', audio: compressed },
  { model: 'canopylabs/orpheus-v1-english', type: 'audio/mpeg', audio: compressed },
  { model: 'mistral/voxtral-mini-tts-3', type: 'audio/mpeg', audio: compressed },
  { model: 'minimax/speech-2.8-turbo', type: 'audio/mpeg', audio: compressed },
  { model: 'xai/grok-tts', type: 'audio/mpeg', audio: compressed },
  { model: 'google/gemini-3.8-flash-tts', format: 'pcm', type: 'audio/pcm', audio: samples },
  { model: 'alibaba/qwen3-tts-flash', format: 'pcm', type: 'audio/pcm', audio: samples },
  { model: onVertex, format: 'pcm', type: 'audio/pcm', audio: samples },
];

test.each(rows)('$model speaks, as bytes and as events', async ({ model, format, type, audio }) => {
  const asked = { model, ...(format && { response_format: format }) };
  const response = await speak(asked);
  expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
    status: 200,
    type,
  });
  expect((await bytesOf(response)).equals(audio)).toBe(true);
  const events = await eventsOf(await speak({ ...asked, stream_format: 'sse', usage: { include: true } }));
  const pieces = events.slice(0, -1).map((event) => Buffer.from(event.audio ?? '', 'base64'));
  expect(Buffer.concat(pieces).equals(audio)).toBe(true);
  expect(new Set(events.slice(0, -1).map((event) => event.type))).toEqual(new Set(['speech.audio.delta']));
  const last = events.at(-1);
  expect(last?.type).toBe('speech.audio.done');
  expect(last?.usage?.cost).toBeGreaterThan(0);
  const isByText = /tts-1|orpheus|voxtral|grok|minimax|qwen/.test(model);
  expect(last?.usage?.characters).toBe(isByText ? input.length : undefined);
  expect(last?.usage?.total_tokens === undefined).toBe(isByText);
});

test("OpenAI's SDK has the audio, and its events", async () => {
  const client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });
  const asked = { model: 'openai/gpt-4o-mini-tts', input, voice: 'coral', instructions: 'Softly.' } as const;
  const response = await client.audio.speech.create({ ...asked, response_format: 'opus' });
  expect(response.headers.get('content-type')).toBe('audio/ogg');
  expect((await bytesOf(response)).equals(compressed)).toBe(true);
  const events = await eventsOf(await client.audio.speech.create({ ...asked, stream_format: 'sse' }));
  expect(events.at(-1)?.usage).toMatchObject({ total_tokens: expect.any(Number) });
});

test('samples become a WAV file where the model has no other format, on record', async () => {
  const model = 'google/gemini-3.8-flash-tts';
  const response = await speak({ model });
  expect(response.headers.get('content-type')).toBe('audio/wav');
  // The name of the voice is another one there.
  expect(response.headers.get('x-gateway-normalizations')).toBe('1');
  const wav = await bytesOf(response);
  expect(wav.subarray(0, 4).toString()).toBe('RIFF');
  expect(wav.readUInt32LE(24)).toBe(24_000);
  expect(wav.subarray(44).equals(samples)).toBe(true);
  const events = await eventsOf(
    await speak({ model, speed: 2, stream_format: 'sse', extra: { debug: ['normalizations'] } }),
  );
  expect(events.at(-1)?.debug?.normalizations).toMatchObject([
    { param: 'response_format', action: 'add', after: 'wav' },
    { param: 'voice', before: 'alloy', after: 'Kore' },
    { param: 'speed', action: 'strip' },
  ]);
});

test.each([
  ['mistral/voxtral-mini-tts-3', { voice: 'gb_jane_neutral' }, []],
  ['mistral/voxtral-mini-tts-3', { voice: { id: 'voice_478' } }, []],
  ['mistral/voxtral-mini-tts-3', { response_format: 'flac', speed: 2 }, ['voice', 'speed']],
  ['minimax/speech-2.8-hd', { voice: 'male-qn-qingse', speed: 1.5 }, []],
  ['minimax/speech-2.8-hd', { instructions: 'Softly.', response_format: 'flac' }, ['voice', 'instructions']],
  ['xai/grok-tts', { voice: 'leo', response_format: 'pcm' }, []],
  ['alibaba/qwen3-tts-flash', { speed: 2 }, ['response_format', 'voice', 'speed']],
  ['xai/grok-tts', { instructions: 'Softly.', input: 'a'.repeat(5_000) }, ['voice', 'instructions']],
])('%s speaks with %.60j', async (model, changes, changed) => {
  const events = await eventsOf(
    await speak({ model, ...changes, stream_format: 'sse', extra: { debug: ['normalizations'] } }),
  );
  const last = events.at(-1);
  expect(last?.debug?.normalizations?.map((change) => ('param' in change ? change.param : ''))).toEqual(
    changed,
  );
});

test.each([
  [{ model: 'mistral/voxtral-mini-tts-3', response_format: 'pcm' }, 'response_format'],
  [{ model: 'minimax/speech-2.8-hd', response_format: 'wav' }, 'response_format'],
  [{ model: 'xai/grok-tts', response_format: 'opus' }, 'response_format'],
  [{ model: 'xai/grok-tts', voice: 'nobody' }, 'voice'],
  [{ model: 'alibaba/qwen3-tts-flash', input: 'a'.repeat(601) }, 'input'],
  [{ input: '' }, 'input'],
  [{ input: 'a'.repeat(4_097) }, 'input'],
  [{ voice: 'nobody' }, 'voice'],
  [{ voice: 'marin' }, 'voice'],
  [{ voice: { id: 'voice_1' } }, 'voice'],
  [{ response_format: 'ogg' }, 'response_format'],
  [{ model: 'google/gemini-3.8-flash-tts', response_format: 'mp3' }, 'response_format'],
  [{ speed: 5 }, 'speed'],
  [{ model: 'openai/gpt-4.1' }, 'model'],
  [{ stream: true }, 'stream'],
])('refuses %.80j by name', async (changes, param) => {
  const response = await speak(changes);
  const { error } = (await response.json()) as { readonly error: { readonly param: string } };
  expect({ status: response.status, param: error.param }).toEqual({ status: 400, param });
});

test('a voice of the account is passed on where there can be one', async () => {
  const voice = { id: 'voice_1' };
  expect((await speak({ model: 'openai/gpt-4o-mini-tts', voice })).status).toBe(200);
});

test('a format that the first model does not have is spoken by the next', async () => {
  const fallbacks = ['openai/tts-1'];
  const response = await speak({
    model: 'google/gemini-3.8-flash-tts',
    response_format: 'wav',
    extra: { fallbacks },
  });
  expect(response.status).toBe(200);
  const ignored = await speak({
    model: 'google/gemini-3.8-flash-tts',
    response_format: 'wav',
    extra: { fallbacks },
    provider: { ignore: ['google', 'google-vertex'] },
  });
  expect(ignored.status).toBe(200);
  expect((await bytesOf(ignored)).equals(compressed)).toBe(true);
});

test('a character that its provider counts as two is reserved and charged for as two', async () => {
  const asked = { model: 'alibaba/qwen3-tts-flash', input: '灯塔 on', stream_format: 'sse' };
  const dry = await speak({ ...asked, extra: { dry_run: true } });
  expect(await dry.json()).toMatchObject({ debug: { dry_run: { highest_cost: 5 * 2 * 1e-5 } } });
  const last = (await eventsOf(await speak({ ...asked, usage: { include: true } }))).at(-1);
  expect(last?.usage).toEqual({ characters: 7, cost: 0.00007 });
});

test('audio is not kept for a repeated request', async () => {
  const headers = { 'idempotency-key': 'speak-once' };
  expect((await bytesOf(await speak({}, headers))).equals(compressed)).toBe(true);
  const again = await speak({}, headers);
  const { error } = (await again.json()) as { readonly error: { readonly code: string } };
  expect({ status: again.status, code: error.code }).toEqual({ status: 400, code: 'idempotency_key_reused' });
});

test('what was spoken, and what it cost, is in the usage of the tenant', async () => {
  const response = await speak({ model: 'openai/tts-1-hd', input: '🙂'.repeat(10) });
  await bytesOf(response);
  const authorization = `Bearer ${gateway().apiKey}`;
  const id = response.headers.get('x-request-id');
  const found = await fetch(`${gateway().url}/v1/usage/requests/${id}`, { headers: { authorization } });
  // Ten characters of 30 dollars a million.
  expect(await found.json()).toMatchObject({
    cost_nano_usd: 300_000,
    attempts: [{ usage: { characters: 10 }, arithmetic: [{ what: 'characters', quantity: 10 }] }],
  });
});

test('a key with a budget speaks where the highest cost is known, and is refused where it is not', async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
  const keys = createKeyStore({ call, table: 'access' });
  const { secret } = await keys.create({ tenant: 'acme', limits: { monthlyBudget: 1_000_000_000 } });
  await close();
  const ask = async (model: string, format?: string) => {
    const body = JSON.stringify({ model, input, voice: 'alloy', response_format: format });
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${gateway().url}/v1/audio/speech`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  expect(await ask('openai/tts-1')).toBe(200);
  expect(await ask('google/gemini-3.8-flash-tts')).toBe(200);
  for (const format of [undefined, 'wav', 'pcm'])
    expect(await ask('openai/gpt-4o-mini-tts', format)).toBe(200);
  for (const format of ['opus', 'aac', 'flac']) expect(await ask('openai/gpt-4o-mini-tts', format)).toBe(403);
});
