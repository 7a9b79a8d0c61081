/** Transcription has one form for every provider: formats, subtitles, speakers, errors and money. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { mp3Of, wavOf } from '../../harness/audio.ts';
import { formBytes, formType } from '../../harness/form.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { newDirectory } from '../../harness/new-directory.ts';

const gateway = useGateway();

const said = 'The lamp turns all night. Ships see it from far away. Nobody sleeps.';
const wav = wavOf(13);

/** 13 words in 13 seconds. */
const whisper = 'openai/whisper-1';
const groq = 'openai/whisper-large-v3-turbo';
const mistral = 'mistral/voxtral-mini-transcribe-3';
const grok = 'xai/grok-voice-transcribe-2.0';
const plain = 'openai/gpt-transcribe';
const byTokens = 'openai/gpt-4o-transcribe';
const gemini = 'google/gemini-3.5-transcribe';
const cohere = 'cohere/cohere-transcribe-03-2026';

const client = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });

/** They give their text as they hear it. */
const native: readonly string[] = [plain, mistral];

type Fields = Readonly<Record<string, string>>;

async function send(fields: Fields, file: Uint8Array = wav, path = 'transcriptions') {
  const parts = Object.entries({ model: whisper, ...fields }).map(([name, value]) => ({ name, value }));
  const body = formBytes(...parts, { name: 'file', filename: 'a.bin', value: file });
  const headers = { authorization: `Bearer ${gateway().apiKey}`, 'content-type': formType };
  const response = await fetch(`${gateway().url}/v1/audio/${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>> & {
      readonly error?: { readonly param: string; readonly message: string };
    },
  };
}

describe.each([
  { model: whisper, seconds: 13, cost: (13 * 0.36) / 3_600 },
  { model: groq, seconds: 13, cost: (13 * 0.04) / 3_600 },
  { model: mistral, seconds: 13, cost: (13 * 0.21) / 3_600 },
  { model: grok, seconds: 13, cost: (13 * 0.1) / 3_600 },
  { model: plain, seconds: 13, cost: (13 * 0.27) / 3_600 },
  { model: cohere, seconds: 13, cost: 0, language: 'en' },
])('$model', ({ model, seconds, cost, ...needed }) => {
  test('writes down what is said, and costs the time of the audio', async () => {
    const { status, body } = await send({ model, ...needed, 'usage[include]': 'true' });
    expect(status).toBe(200);
    const nanoDollars = Math.round(cost * 1e9) / 1e9;
    expect(body).toEqual({ text: said, usage: { type: 'duration', seconds, cost: nanoDollars } });
  });

  test('answers with a stream, where it has none, too', async () => {
    const events = await client().audio.transcriptions.create({
      model,
      ...needed,
      file: await toFile(wav, 'a.wav'),
      stream: true,
    });
    const all = await Array.fromAsync(events);
    const deltas = all.flatMap((event) => (event.type === 'transcript.text.delta' ? [event.delta] : []));
    expect(deltas.join('')).toBe(said);
    expect(deltas).toHaveLength(native.includes(model) ? 13 : 1);
    expect(all.at(-1)).toMatchObject({
      type: 'transcript.text.done',
      text: said,
      usage: { type: 'duration', seconds },
    });
  });
});

test.each([
  { model: gemini, provider: 'google', input_tokens: 325, prices: [2_000, 12_000] },
  { model: gemini, provider: 'google-vertex', input_tokens: 325, prices: [2_000, 12_000] },
  { model: byTokens, provider: 'openai', input_tokens: 130, prices: [2_500, 10_000] },
])(
  '$model at $provider counts tokens of audio and text',
  async ({ model, provider, input_tokens, prices }) => {
    const { body } = await send({ model, 'provider[only][]': provider, 'usage[include]': 'true' });
    const [input, output] = prices as [number, number];
    const output_tokens = 17;
    expect(body).toEqual({
      text: said,
      usage: {
        type: 'tokens',
        input_tokens,
        output_tokens,
        total_tokens: input_tokens + output_tokens,
        input_token_details: { audio_tokens: input_tokens, text_tokens: 0 },
        cost: (input_tokens * input + output_tokens * output) / 1e9,
      },
    });
  },
);

test.each([whisper, groq, mistral, grok, gemini])('%s has subtitles and segments', async (model) => {
  const { text: srt, headers } = await send({ model, response_format: 'srt' });
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(srt).toBe(
    [
      '1\n00:00:00,000 --> 00:00:05,000\nThe lamp turns all night.\n',
      '2\n00:00:05,000 --> 00:00:11,000\nShips see it from far away.\n',
      '3\n00:00:11,000 --> 00:00:13,000\nNobody sleeps.\n\n',
    ].join('\n'),
  );
  expect((await send({ model, response_format: 'vtt' })).text).toMatch(
    /^WEBVTT\n\n00:00:00\.000 --> 00:00:05\.000\nThe lamp/,
  );
  const { body } = await send({
    model,
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'word',
  });
  expect(body).toMatchObject({ task: 'transcribe', duration: 13, text: said });
  expect(body.segments).toHaveLength(3);
  expect(body.words).toHaveLength(13);
  expect((body.words as object[])[1]).toEqual({ word: 'lamp', start: 1, end: 2 });
});

test('a model without times has no subtitles, which is said by name', async () => {
  const { status, body } = await send({ model: plain, response_format: 'srt' });
  expect([status, body.error?.param]).toEqual([400, 'response_format']);
});

test.each([mistral, grok, gemini])('%s tells speakers apart, as letters, in events, too', async (model) => {
  const events = await send({ model, response_format: 'diarized_json', stream: 'true' });
  expect([...events.text.matchAll(/"speaker":"(\w)"/g)].map(([, letter]) => letter)).toEqual(['A', 'B', 'A']);

  const { body } = await send({ model, response_format: 'diarized_json' });
  expect(body).toMatchObject({ task: 'transcribe', duration: 13, text: said });
  expect((body.segments as { speaker: string }[]).map(({ speaker }) => speaker)).toEqual(['A', 'B', 'A']);
});

test.each([
  { model: grok, field: 'keyterm', terms: ['Lamp room', 'Fastnet'] },
  { model: mistral, field: 'context_bias', terms: ['Lamp_room', 'Fastnet'] },
])('$model gets keywords as its provider takes them', async ({ model, field, terms }) => {
  const body = formBytes(
    { name: 'model', value: model },
    { name: 'keywords[]', value: 'Lamp room' },
    { name: 'keywords[]', value: 'Fastnet' },
    { name: 'extra[dry_run]', value: 'true' },
    { name: 'file', filename: 'a', value: wav },
  );
  const headers = { authorization: `Bearer ${gateway().apiKey}`, 'content-type': formType };
  const response = await fetch(`${gateway().url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ debug: { dry_run: { sent: { [field]: terms } } } });
});

test.each([whisper, 'openai/whisper-large-v3'])('%s translates', async (model) => {
  const { status, body } = await send({ model }, wav, 'translations');
  expect([status, body.text]).toEqual([200, 'The lamp is bright.']);
});

describe("OpenAI's SDK", () => {
  const folder = newDirectory();
  let path: string;
  beforeAll(async () => {
    path = join(folder, 'größe "1".mp3');
    await writeFile(path, mp3Of(500));
  });

  test('sends a file from disk, lists and objects', async () => {
    const answer = await client().audio.transcriptions.create({
      model: whisper,
      file: createReadStream(path),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      chunking_strategy: { type: 'server_vad', silence_duration_ms: 300 },
      language: 'en',
      temperature: 0.2,
    });
    expect(answer.segments?.[0]).toMatchObject({ id: 0, seek: 0, avg_logprob: -0.2 });
    expect(answer.words).toHaveLength(13);
    expect(answer.usage).toMatchObject({ type: 'duration' });
  });

  test.each(['text', 'srt', 'vtt'] as const)('has a text for %s', async (response_format) => {
    const file = await toFile(wav, 'a.wav');
    const answer = await client().audio.transcriptions.create({ model: whisper, file, response_format });
    expect(typeof answer).toBe('string');
    expect(answer).toContain('lamp');
  });

  test('translates', async () => {
    const file = await toFile(wav, 'a.wav');
    expect(await client().audio.translations.create({ model: whisper, file })).toMatchObject({
      text: 'The lamp is bright.',
    });
  });
});

test('what a model does not take is left out on record, or refused by name', async () => {
  const left = await send({
    model: mistral,
    prompt: 'A lamp',
    language: 'en',
    'keywords[]': 'Lamp room, Fastnet',
    response_format: 'verbose_json',
    'extra[debug][]': 'normalizations',
  });
  expect(left.body.debug).toMatchObject({
    normalizations: [
      { param: 'prompt', action: 'strip' },
      { param: 'language', action: 'strip' },
    ],
  });
  expect(left.headers.get('x-gateway-normalizations')).toBe('2');
});

test.each<[object, Fields, Uint8Array?, string?]>([
  [{ param: 'file' }, {}, Buffer.from('This is a text, whatever its name.')],
  [{ param: 'file' }, {}, Buffer.alloc(0)],
  [{ param: 'url' }, { url: 'https://example.com/a.mp3' }],
  [{ param: 'response_format' }, { response_format: 'xml' }],
  [{ param: 'response_format' }, { response_format: 'diarized_json' }],
  [{ param: 'timestamp_granularities' }, { 'timestamp_granularities[]': 'word' }],
  [{ param: 'include' }, { 'include[]': 'logprobs' }],
  [{ param: 'known_speaker_names' }, { 'known_speaker_names[]': 'Ann' }],
  [{ param: 'stream' }, { stream: 'true', response_format: 'vtt' }],
  [{ param: 'temperature' }, { temperature: '2' }],
  [{ param: 'temperature' }, { temperature: 'warm' }],
  [{ param: 'model' }, { model: 'openai/gpt-4.1' }],
  [{ param: 'model' }, { model: plain }, wav, 'translations'],
  [{ param: 'language' }, { model: cohere }],
  [{ param: 'file' }, { model: cohere, language: 'en' }, Buffer.from('\x1a\x45\xdf\xa3', 'latin1')],
  [{ param: 'response_format' }, { model: cohere, language: 'en', response_format: 'srt' }],
  [{ param: 'speed' }, { speed: '2' }],
])('refuses with %j', async (expected, fields, file = wav, path = 'transcriptions') => {
  const { status, body } = await send(fields, file, path);
  expect({ status, ...body.error }).toMatchObject({ status: 400, ...expected });
});

test('a file or a URL is required, and a URL must be public', async () => {
  const post = async (body: object) => {
    const response = await gateway().post('/v1/audio/transcriptions', { model: whisper, ...body });
    return { status: response.status, ...((await response.json()) as { error: object }).error };
  };
  expect(await post({})).toMatchObject({ status: 400, param: 'file' });
  expect(await post({ url: 'https://127.0.0.1/a.mp3' })).toMatchObject({ status: 400, param: 'url' });
  expect(await post({ file_url: 'http://example.com/a.mp3' })).toMatchObject({
    status: 400,
    param: 'file_url',
  });
});

test('Groq charges for ten seconds at least', async () => {
  const { body } = await send({ model: groq, 'usage[include]': 'true' }, wavOf(3));
  expect(body.usage).toEqual({ type: 'duration', seconds: 3, cost: 0.000111111 });
});

test('a dry run asks no provider, and says what it may cost at most', async () => {
  const { body } = await send({ 'extra[dry_run]': 'true' });
  expect(body.debug).toMatchObject({ dry_run: { highest_cost: 0.0013 } });
});

test('a request that is sent again gets its answer, whatever the boundary of its form', async () => {
  const again = () =>
    client()
      .audio.transcriptions.create(
        { model: whisper, file: new File([wav], 'a.wav') },
        { headers: { 'idempotency-key': 'transcribe-once' } },
      )
      .asResponse();
  const [first, second] = [await again(), await again()];
  expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
    null,
    'true',
  ]);
  expect(await second.text()).toBe(await first.text());
});
