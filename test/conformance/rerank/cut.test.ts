/** A ranking that breaks off after it was asked for: the provider may charge for it, and nobody knows how much. */
import { expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const { gateway, upstream } = useUpstreamGateway('COHERE');

test.each([
  ['by search units is unknown, and not none', 'cohere/rerank-v4.0-fast', null],
  ['by tokens is an estimate', 'cohere/rerank-v5.0-fast', expect.any(Number)],
])('its cost %s', async (_, model, cost) => {
  upstream.script((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      .write('{"results":');
    setImmediate(() => response.destroy());
  });
  const body = { model, query: 'Cats', documents: ['A cat', 'A dog'.repeat(2_000)] };
  const response = await gateway.post('/v1/rerank', body);
  expect(response.status).toBeGreaterThanOrEqual(500);
  const headers = { authorization: `Bearer ${gateway.apiKey}` };
  const url = `${gateway.url}/v1/usage/requests/${response.headers.get('x-request-id')}`;
  const described = async () => (await fetch(url, { headers })).json();
  await expect.poll(described).toMatchObject({ status: 'done', cost_nano_usd: cost });
});
