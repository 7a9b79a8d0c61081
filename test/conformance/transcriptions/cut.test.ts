/** A call that breaks off after it was sent: the provider may charge for it, and it is no success. */
import { expect, test } from 'vitest';
import { wavOf } from '../../harness/audio.ts';
import { type FormPart, formBytes, formType } from '../../harness/form.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { readAlong } from '../../harness/read-along.ts';

const { gateway, upstream } = useUpstreamGateway(['GOOGLE', 'GROQ', 'OPENAI']);

const send = (...fields: readonly FormPart[]) =>
  fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': formType },
    body: formBytes(...fields, { name: 'file', filename: 'a.wav', value: wavOf(1) }),
  });

async function record(response: Response, expected: object) {
  const url = `${gateway.url}/v1/usage/requests/${response.headers.get('x-request-id')}`;
  const headers = { authorization: `Bearer ${gateway.apiKey}` };
  await expect.poll(async () => (await fetch(url, { headers })).json()).toMatchObject(expected);
}

test('the cost of a body that breaks off is unknown, and not none', async () => {
  upstream.script((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      .write('{"text":');
    setImmediate(() => response.destroy());
  });
  const response = await send({ name: 'model', value: 'openai/whisper-large-v3-turbo' });
  expect(response.status).toBeGreaterThanOrEqual(500);
  await record(response, { status: 'done', cost_nano_usd: null });
});

test('a stream is passed on as it comes, and is an error where it breaks off', async () => {
  const along = readAlong();
  upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = (delta: string) =>
      response.write(`data: ${JSON.stringify({ type: 'transcript.text.delta', delta })}\n\n`);
    say('The');
    await along.until((text) => text.includes('"The"'));
    say(' lamp');
    await along.until((text) => text.includes('lamp'));
    response.end();
  });
  const asked = send({ name: 'model', value: 'openai/gpt-transcribe' }, { name: 'stream', value: 'true' });
  const text = await along.read(asked);
  expect(text).toContain('event: error');
  expect(text).toContain('provider_stream_cut');
  expect(text).not.toContain('transcript.text.done');
  // A second of audio at 0.27 dollars an hour, by its container.
  await record(await asked, { status: 'done', cost_nano_usd: 75_000, attempts: [{ estimated: true }] });
});

test('a stream that breaks off costs what was sent beside its audio, too', async () => {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ type: 'transcript.text.delta', delta: 'The lamp' })}\n\n`);
  });
  const response = await send(
    { name: 'model', value: 'openai/gpt-4o-transcribe' },
    { name: 'stream', value: 'true' },
    { name: 'prompt', value: 'lamp'.repeat(1_000) },
  );
  expect(await response.text()).toContain('provider_stream_cut');
  // 1,000 tokens of the prompt, 25 of a second of audio, and 2 that were heard.
  const cost = 1_025 * 2_500 + 2 * 10_000;
  await record(response, { cost_nano_usd: cost, attempts: [{ estimated: true }] });
});

test('an answer that is no whole transcript costs what it counts', async () => {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        candidates: [{ content: { parts: [{ text: 'The' }] }, finishReason: 'SAFETY' }],
        usageMetadata: { promptTokenCount: 325, candidatesTokenCount: 5, totalTokenCount: 330 },
      }),
    );
  });
  const response = await send({ name: 'model', value: 'google/gemini-3.5-transcribe' });
  expect(response.status).toBeGreaterThanOrEqual(400);
  await record(response, { status: 'done', cost_nano_usd: 325 * 2_000 + 5 * 12_000 });
});
