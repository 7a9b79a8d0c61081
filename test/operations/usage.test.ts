/** How much of the ledger one usage answer may read: limits of memory and time. */
import { expect, test } from 'vitest';
import { usageEndpoint } from '../../lib/operations/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

/** An endless ledger. */
function endless(onPage: () => void = () => {}) {
  let pages = 0;
  const usage = {
    counters: async () => [],
    oldestDay: () => '2026-01-01',
    async records(_tenant: string, { limit }: { readonly limit: number }) {
      pages += 1;
      onPage();
      return { records: Array.from({ length: limit }, () => testRecord({ user: 'ann' })), after: `${pages}` };
    },
  };
  return { endpoint: usageEndpoint({ usage, now: () => now }), pages: () => pages };
}

function ask({ endpoint }: ReturnType<typeof endless>, signal: AbortSignal) {
  const input = endpoint.read({ group_by: ['user'], limit: 10 });
  const key = { id: 'key_0123456789ab', hash: 'a-hash', tenant: 'acme' };
  const meter = { admit: async () => undefined, begin: () => {} };
  const around = { requestId: 'one', remainingMs: () => 1_000, facts: { attempts: [] }, ...meter };
  return endpoint.answer({ input, key, signal, ...around });
}

test('too many requests for one answer are a 400 that suggests a shorter time span', async () => {
  const ledger = endless();
  await expect(ask(ledger, AbortSignal.timeout(20_000))).rejects.toMatchObject({
    status: 400,
    param: 'from',
    message: expect.stringContaining('50000 requests'),
  });
  expect(ledger.pages()).toBeLessThanOrEqual(101);
});

test('reading stops when the request times out', async () => {
  const late = new Error('The time is over.');
  const leaving = new AbortController();
  const ledger = endless(() => leaving.abort(late));
  await expect(ask(ledger, leaving.signal)).rejects.toBe(late);
  expect(ledger.pages()).toBe(1);
});
