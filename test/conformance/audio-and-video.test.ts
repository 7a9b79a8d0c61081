/** Recordings and videos in chat: what each protocol gets of them, what they cost, and which models do not take them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { use } from '../harness/use.ts';

const gateway = useWatchedGateway('google-vertex', 'groq');
const ledger = use(() => openLedger());

const data = btoa('ID3 and a song');
const audio = { type: 'input_audio', input_audio: { data, format: 'mp3' } };
const mp4 = btoa('\0\0\0\x18ftypmp42 and a film');
const video = { type: 'video_url', video_url: { url: `data:video/mp4;base64,${mp4}` } };
const link = (url: string) => ({ type: 'video_url', video_url: { url } });

async function send(model: string, ...parts: readonly object[]) {
  gateway.take();
  const user = randomUUID();
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] }];
  const headers = { 'x-gateway-user-id': user };
  const response = await gateway.post('/v1/chat/completions', { model, messages }, headers);
  const answer = JSON.parse(await response.text());
  const [sent] = gateway.take().map(({ body }) => JSON.stringify(body));
  const records = (await ledger.recordsOf('local')).filter((record) => record.user === user);
  return { status: response.status, answer, error: answer.error ?? null, sent, record: records[0] };
}

const model = 'google/gemini-3-flash-preview';

describe('Gemini', () => {
  test('gets a recording in its own type', async () => {
    const { status, sent, answer } = await send(model, audio);
    expect(status).toBe(200);
    expect(sent).toContain(JSON.stringify({ inlineData: { mimeType: 'audio/mp3', data } }));
    expect(answer.choices[0].message.content).toContain('1 recording');
  });

  test('gets a video with the type that its bytes have', async () => {
    const wrong = { type: 'video_url', video_url: { url: `data:video/webm;base64,${mp4}` } };
    for (const part of [video, wrong]) {
      const { status, sent } = await send(model, part);
      expect(status).toBe(200);
      expect(sent).toContain(JSON.stringify({ inlineData: { mimeType: 'video/mp4', data: mp4 } }));
    }
  });

  test.each([
    'https://www.youtube.com/watch?v=abc',
    'https://youtu.be/abc',
    'https://youtube.com/shorts/abc',
  ])('watches %s by its link', async (url) => {
    const { status, sent } = await send(model, link(url));
    expect(status).toBe(200);
    expect(sent).toContain(JSON.stringify({ fileData: { fileUri: url, mimeType: 'video/mp4' } }));
  });

  test.each([
    'https://127.0.0.1/film.mp4',
    'https://169.254.169.254/latest/meta-data',
    'http://example.com/film.mp4',
    'https://127.0.0.1/www.youtube.com/watch?v=abc',
  ])('does not get %s, which the gateway fetches from public hosts only', async (url) => {
    const { status, error, sent } = await send(model, link(url));
    expect([status, error?.param, sent]).toEqual([400, 'messages.0.content.1.video_url.url', undefined]);
  });

  test('does not get what is no video', async () => {
    const { status, error, sent } = await send(model, link(`data:video/mp4;base64,${btoa('no film')}`));
    expect([status, error?.param, sent]).toEqual([400, 'messages.0.content.1.video_url.url', undefined]);
  });
});

describe('the tokens of audio', () => {
  test('are reported, and have their own price', async () => {
    const { answer, record } = await send(model, audio);
    const { prompt_tokens: prompt, completion_tokens: completion } = answer.usage;
    expect(answer.usage.prompt_tokens_details.audio_tokens).toBe(320);
    expect(record?.attempts[0]?.usage).toMatchObject({ promptTokens: prompt, inputAudioTokens: 320 });
    expect(record?.cost).toBe((prompt - 320) * 500 + 320 * 1_000 + completion * 3_000);
  });

  test('have an unknown cost where the catalog has no price for them', async () => {
    const deployments = [{ provider: 'google', upstreamId: 'gemini-3-flash-preview' }];
    await putModels({ 'google/without-audio-price': deployments }, 'audio');
    const { status, record } = await send('google/without-audio-price', audio);
    expect([status, record?.cost]).toEqual([200, null]);
  });
});

describe('a model that does not take them', () => {
  test.each([
    ['openai/gpt-4.1', audio, 'audio'],
    ['anthropic/claude-haiku-4-5', audio, 'audio'],
    ['qwen/qwen3.8-27b', video, 'video'],
    ['anthropic/claude-haiku-4-5', video, 'video'],
  ])('%s: the error has the path of the part', async (id, part, modality) => {
    const { status, error, sent } = await send(id, part);
    expect([status, sent]).toEqual([400, undefined]);
    expect(error).toMatchObject({
      message: `The model '${id}' does not accept ${modality} input.`,
      param: 'messages.0.content.1',
      code: 'unsupported_modality',
    });
  });
});

test.each([
  ['a format that no model hears', { ...audio, input_audio: { data, format: 'midi' } }, 'input_audio.format'],
  ['no base64', { ...audio, input_audio: { data: 'https://x', format: 'mp3' } }, 'input_audio.data'],
  ['a video by another scheme', link('gs://bucket/film.mp4'), 'video_url.url'],
])('%s is rejected with its field', async (_, part, field) => {
  const { status, error } = await send(model, part);
  expect([status, error?.param]).toEqual([400, `messages.0.content.1.${field}`]);
});
