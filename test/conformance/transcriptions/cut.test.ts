/** A call that breaks off after it was sent: the provider may charge for it, and nobody knows how much. */
import { expect, test } from 'vitest';
import { wavOf } from '../../harness/audio.ts';
import { formBytes, formType } from '../../harness/form.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const { gateway, upstream } = useUpstreamGateway('GROQ');

test('its cost is unknown, and not none', async () => {
  upstream.script((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      .write('{"text":');
    setImmediate(() => response.destroy());
  });
  const authorization = `Bearer ${gateway.apiKey}`;
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization, 'content-type': formType },
    body: formBytes(
      { name: 'model', value: 'openai/whisper-large-v3-turbo' },
      { name: 'file', filename: 'a.wav', value: wavOf(1) },
    ),
  });
  expect(response.status).toBeGreaterThanOrEqual(500);
  const url = `${gateway.url}/v1/usage/requests/${response.headers.get('x-request-id')}`;
  const described = async () => (await fetch(url, { headers: { authorization } })).json();
  await expect.poll(described).toMatchObject({ status: 'done', cost_nano_usd: null });
});
