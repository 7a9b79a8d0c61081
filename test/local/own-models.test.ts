/** Models of the operator's own server, which are not in the catalog of the gateway. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOwnModels } from '../../local/own-models.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { modelRow, useOwnGateway } from './own-gateway.ts';

const row = modelRow('acme/qwen3', 'self-hosted', {
  modalities: { input: ['text'], output: ['text'] },
  traits: { reasoning: { style: 'effort', efforts: ['none', 'high'], defaultEffort: 'high' } },
  deployments: [{ provider: 'self-hosted', region: 'global', upstreamId: 'qwen3:8b' }],
});

let upstream: Upstream;
const { directory, post } = useOwnGateway(
  async () => {
    upstream = await startUpstream();
    const environment = { SELF_HOSTED_UPSTREAM_URL: `${upstream.url}/v1`, SELF_HOSTED_API_KEY: undefined };
    return { models: [row], environment };
  },
  () => upstream?.close(),
);

const ask = (fields: object = {}) =>
  post('/v1/chat/completions', { model: row.id, messages: [{ role: 'user', content: 'Hello' }], ...fields });

test("a model of the operator's own server answers without a key, with separate reasoning", async () => {
  const message = { role: 'assistant', content: '<think>Greet.</think>\n\nHello!' };
  upstream.script(answerJson({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  const body = await (await ask()).json();
  expect(body).toMatchObject({
    model: row.id,
    choices: [{ message: { content: 'Hello!', reasoning_content: 'Greet.' } }],
  });
  const [request] = upstream.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.body.model).toBe('qwen3:8b');
  expect(request?.headers.authorization).toBeUndefined();
});

test('its images are fetched by the gateway, since its network may be private', async () => {
  const image_url = { url: 'http://169.254.169.254/latest/meta-data' };
  const response = await ask({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] });
  expect(response.status).toBe(400);
});

test.each([
  ['no list', '{}', 'is not a JSON list of rows'],
  ['no JSON', '[', 'is not a JSON list of rows'],
  ['a row with a fault', JSON.stringify([{ ...row, id: 'acme' }]), 'id'],
])('a models file with %s is reported at the start', async (_, text, message) => {
  const path = join(directory(), 'faulty.json');
  await writeFile(path, text);
  const store = { put: () => Promise.reject(new Error('Malformed catalog row: id')) };
  await expect(writeOwnModels(store, directory(), path)).rejects.toThrow(message);
  await expect(writeOwnModels(store, directory(), `${path}.gone`)).rejects.toThrow('cannot be read');
});
