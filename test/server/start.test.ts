/** A server that cannot start says why in its log. */
import { expect, test } from 'vitest';
import { startServedGateway } from '../harness/gateways/served-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startServedGateway());

test.each([
  [{ GATEWAY_WORKERS: 'many' }, 'GATEWAY_WORKERS must be'],
  [{ AWS_REGION: '' }, 'AWS_REGION'],
  [{ USAGE_TABLE: '', STATE_TABLE: '' }, 'Missing environment variables: STATE_TABLE, USAGE_TABLE.'],
  [{ HOST: '192.0.2.7' }, 'HOST is 192.0.2.7, which is no address of this machine.'],
])('a server with %j does not start, and its log has the reason', async (settings, reason) => {
  const server = gateway.spawn(settings);
  expect(await server.ended).toBe(1);
  const found = server.lines.filter(({ message }) => message === 'server did not start');
  expect(found).toMatchObject([{ level: 'ERROR', reason: expect.stringContaining(reason) }]);
});

test('a port that is in use, for requests or for metrics, is named', async () => {
  const { port } = new URL(gateway.upstream.url);
  for (const name of ['PORT', 'GATEWAY_METRICS_PORT']) {
    const server = gateway.spawn({ [name]: port });
    expect(await server.ended).toBe(1);
    const { reason } = await server.line('server did not start');
    expect(reason).toBe(`${name} is ${port}, which is in use.`);
  }
});
