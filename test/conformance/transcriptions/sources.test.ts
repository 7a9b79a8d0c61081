/** Recordings of forms and at URLs: each target that is tried gets the same bytes, and nothing else is fetched or shown. */
import { expect, test } from 'vitest';
import { create } from '../../../functions/audio-transcriptions.ts';
import { requestOf } from '../../../lib/http/lambda/event.ts';
import { hostOf } from '../../../lib/http/lambda/host.ts';
import { readForm } from '../../../sandbox/batches/multipart.ts';
import { wavOf } from '../../harness/audio.ts';
import { type FormPart, formBytes, formType } from '../../harness/form.ts';
import { startMediaGateway } from '../../harness/gateways/media-gateway.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { operationEvent } from '../../harness/lambda/event.ts';
import { answerJson, type UpstreamRequest } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const gateway = use(() =>
  startMediaGateway(
    {},
    { operation: 'audio-transcriptions', provider: 'groq', settings: { GROQ_API_KEY: 'a-provider-key' } },
  ),
);
const sandboxed = useGateway();

const model = 'openai/whisper-large-v3-turbo';
const fallbacks = ['openai/whisper-large-v3'];
/** Every value of a byte, and what looks like the end of a part. */
const recording = Buffer.concat([
  wavOf(1),
  Buffer.from(Uint8Array.from({ length: 4_096 }, (_, at) => at % 256)),
  Buffer.from('\r\n--form-1\r\n'),
]);

const fileOf = ({ headers, bytes }: UpstreamRequest) =>
  readForm(headers['content-type'] ?? '', bytes)?.find(({ name }) => name === 'file');

/** The first answer is a failure. */
function failOnce() {
  let asked = 0;
  gateway.provider.script((_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 500 : 200, {
      'content-type': 'application/json',
      'x-should-retry': 'false',
    });
    response.end(
      JSON.stringify(asked === 1 ? { error: { message: 'Broken' } } : { text: 'Hi', duration: 1 }),
    );
  });
}

const form = (...more: readonly FormPart[]) => ({
  body: formBytes({ name: 'model', value: model }, ...more),
  headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': formType },
});

test('a fallback gets the same bytes, under a name that says their type alone', async () => {
  failOnce();
  const file = { name: 'file', filename: 'secret "plan".mp3', value: recording };
  const response = await gateway.post(
    {},
    form({ name: 'extra[fallbacks][]', value: fallbacks[0] ?? '' }, file),
  );
  expect(await response.json()).toMatchObject({ text: 'Hi', usage: { type: 'duration', seconds: 1 } });
  const files = gateway.provider.requests.map(fileOf);
  expect(files.map((one) => one?.filename)).toEqual(['audio.wav', 'audio.wav']);
  for (const one of files) expect(one?.bytes.equals(recording)).toBe(true);
});

test.each(['url', 'file_url'])('what %s leads to is fetched once, for all targets', async (name) => {
  failOnce();
  gateway.media.asked.length = 0;
  gateway.media.answer((request, response) => {
    if (request.url === '/talk') response.writeHead(302, { location: '/talk.wav' }).end();
    else response.end(recording);
  });
  const response = await gateway.post({ model, [name]: `${gateway.media.url}/talk`, extra: { fallbacks } });
  expect(response.status).toBe(200);
  expect(gateway.media.asked).toEqual(['/talk', '/talk.wav']);
  const files = gateway.provider.requests.map(fileOf);
  expect(files).toHaveLength(2);
  for (const one of files) expect(one?.bytes.equals(recording)).toBe(true);
});

test.each([
  ['a text', (response: { end(body: string): void }) => response.end('<html>No.</html>')],
  ['nothing', (response: { end(body: string): void }) => response.end('')],
])('%s at a URL is refused by its field', async (_, answer) => {
  gateway.provider.script((_request, response) => void response.writeHead(500).end());
  gateway.media.answer((_request, response) => answer(response));
  const response = await gateway.post({ model, url: `${gateway.media.url}/a` });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'url' } });
  expect(gateway.provider.requests).toEqual([]);
});

test('a dry run fetches nothing, and shows no recording', async () => {
  gateway.media.asked.length = 0;
  const ofUrl = await gateway.post({ model, url: `${gateway.media.url}/a`, extra: { dry_run: true } });
  expect(await ofUrl.json()).toMatchObject({
    debug: { dry_run: { not_fetched: ['url'], highest_cost: null } },
  });
  expect(gateway.media.asked).toEqual([]);
  const file = { name: 'file', filename: 'a', value: recording };
  const ofForm = await gateway.post({}, form({ name: 'extra[dry_run]', value: 'true' }, file));
  expect(await ofForm.json()).toMatchObject({
    debug: {
      dry_run: {
        sent: { model: 'whisper-large-v3-turbo', file: `audio/wav, ${recording.length} bytes` },
      },
    },
  });
});

test('a server takes what Lambda does not, and an event in base64 what Lambda does', async () => {
  const large = wavOf(300);
  gateway.provider.script(answerJson({ text: 'Hi', duration: 300 }));
  const sent = await gateway.post({}, form({ name: 'file', filename: 'a.wav', value: large }));
  expect(sent.status).toBe(200);
  expect(gateway.provider.requests.map(fileOf).map((one) => one?.bytes.length)).toEqual([large.length]);
  const event = operationEvent('audio-transcriptions', {
    bearer: sandboxed().apiKey,
    form: { file: `fLaC${'\0'.repeat(64)}`, model },
  });
  const context = { awsRequestId: 'r', memoryLimitInMB: '512', getRemainingTimeInMillis: () => 60_000 };
  const handler = create(sandboxed().variables);
  const answer = await handler(requestOf(event as never), hostOf(context as never, 100));
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(answer.body as string)).toMatchObject({ text: expect.stringContaining('lamp') });
});
