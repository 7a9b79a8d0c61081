/** Webhooks of alerts, over real connections: signature, repetition, and URLs that must not be called. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../../lib/core/ports/alerts.ts';
import { createPostAlert } from '../../../lib/metering/alerts/webhook.ts';
import { createWebhookPoster, type WebhookPosterOptions } from '../../../lib/transport/webhook-poster.ts';
import { end, listen } from '../../harness/listening.ts';

const now = Date.UTC(2026, 10, 20, 12);
const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;

let server: Server;
let url: string;
let statuses: number[];
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];

beforeEach(async () => {
  statuses = [];
  received = [];
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204, { location: 'http://localhost:1/' }).end();
  });
  url = `${await listen(server)}/alerts`;
});
afterEach(async () => {
  await end(server);
});

const alert: Alert = {
  id: 'alert_1',
  at: now,
  tenant: 'acme',
  scope: { kind: 'tenant', id: 'acme' },
  limit: 'monthlyBudget',
  percent: 80,
  used: 40_000_000_000,
  amount: 50_000_000_000,
  resetsAt: Date.UTC(2026, 11),
};

const post = (to = url, options: Partial<WebhookPosterOptions> = {}) =>
  createPostAlert({
    post: createWebhookPoster({ isLocal: true, ...options }),
    now: () => now,
    pausesMs: [1, 1],
  })({ url: to, secret }, alert);

test('the body is signed with the time, so that a receiver can check both', async () => {
  await post();
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(JSON.parse(body)).toEqual({
    type: 'limit.alert',
    timestamp: '2026-11-20T12:00:00.000Z',
    data: {
      message: '80 % of the monthly budget of tenant acme is used.',
      tenant: 'acme',
      scope: 'tenant',
      scope_id: 'acme',
      limit: 'monthly_budget',
      percent: 80,
      used_usd: '40.00',
      limit_usd: '50.00',
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'alert_1',
    'webhook-timestamp': `${now / 1000}`,
  });
  const signed = `alert_1.${now / 1000}.${body}`;
  const mac = createHmac('sha256', 'a secret of the test').update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${mac}`);
  expect(JSON.stringify(headers)).not.toContain(secret);
});

test('it is repeated until the receiver answers with success', async () => {
  statuses = [500, 302];
  await post();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('after the last repetition it fails', async () => {
  statuses = [500, 500, 503];
  await expect(post()).rejects.toThrow('The webhook answered with status 503.');
});

test('a receiver that does not answer is given up', async () => {
  server.removeAllListeners('request');
  await expect(post(url, { timeoutMs: 100 })).rejects.toThrow();
});

test('a name that is not resolved in time is given up', async () => {
  const lookup = () => new Promise<never>(() => {});
  const began = performance.now();
  await expect(post('http://hooks.example.com/', { timeoutMs: 50, lookup })).rejects.toThrow('in time');
  expect(performance.now() - began).toBeGreaterThan(3 * 50 - 10);
});

describe('in AWS', () => {
  test.each([
    ['plain http', 'http://hooks.example.com/'],
    ['a private address', 'https://10.0.0.1/'],
    ['the address of credentials', 'https://169.254.169.254/'],
    ['this machine', 'https://[::1]/'],
    ['a name of a private address', 'https://inside.example.com/'],
    ['a name without an address', 'https://nowhere.example.com/'],
  ])('%s is not called', async (_, to) => {
    const lookup = async (name: string) => (name.startsWith('inside') ? ['93.184.216.34', '10.0.0.1'] : []);
    await expect(post(to, { isLocal: false, lookup })).rejects.toThrow(/of the webhook/);
    expect(received).toEqual([]);
  });

  test('a URL that is refused is not tried again', async () => {
    let lookups = 0;
    const lookup = async () => {
      lookups += 1;
      return ['10.0.0.1'];
    };
    await expect(post('https://inside.example.com/', { isLocal: false, lookup })).rejects.toThrow('public');
    expect(lookups).toBe(1);
  });
});
