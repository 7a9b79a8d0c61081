/** The base URL at which a caller has reached the gateway. */
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../lib/http/request/http-request.ts';
import { reachedAt } from '../../lib/http/request/reached-at.ts';

const template = '/v1/messages/batches/{message_batch_id}';

const at = (headers: Readonly<Record<string, string>>, path = '/v1/messages/batches/msgbatch_1') =>
  reachedAt({ header: (name: string) => headers[name], path, template } as HttpRequest);

test.each([
  ['a server', { host: '127.0.0.1:8787' }, 'http://127.0.0.1:8787'],
  ['a server on IPv6', { host: '[::1]:8787' }, 'http://[::1]:8787'],
  ['a load balancer', { host: 'models.example', 'x-forwarded-proto': 'https' }, 'https://models.example'],
  [
    'proxies in a row',
    { host: 'inner', 'x-forwarded-host': 'models.example, middle', 'x-forwarded-proto': 'https, http' },
    'https://models.example',
  ],
  [
    'a proxy of RFC 7239',
    { host: 'inner', forwarded: 'for=192.0.2.1; Host="models.example:8443";proto=https, for=10.0.0.1' },
    'https://models.example:8443',
  ],
  ['a host that is none', { host: 'a b/c', 'x-forwarded-host': 'evil"<' }, 'http://localhost'],
])('of %s', (_name, headers, expected) => {
  expect(at(headers as Readonly<Record<string, string>>)).toBe(expected);
});

test('has the stage of API Gateway', () => {
  const headers = { host: 'abc.execute-api.eu-central-1.amazonaws.com', 'x-forwarded-proto': 'https' };
  const path = '/v1/v1/messages/batches/msgbatch_1';
  expect(at(headers, path)).toBe('https://abc.execute-api.eu-central-1.amazonaws.com/v1');
});
