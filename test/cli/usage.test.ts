/** The usage commands: show, recompute, reconcile and replay. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { addCounts } from '../../lib/core/accounting/counters.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/cost/counts.ts';
import { lossMessage } from '../../lib/metering/records/log-messages.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { summaryOf, testRecord } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { modelRow, parsed, useOperator } from './operator.ts';

const dayMs = 86_400_000;
const today = Date.parse(new Date().toISOString().slice(0, 10));
const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

const operator = useOperator('acme', 'umbrella');

/** A request of yesterday, which is over at any time of day. */
const usage = {
  promptTokens: 10,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 5,
  reasoningTokens: 0,
};
const past = (changes: Parameters<typeof testRecord>[0] = {}) =>
  testRecord({ at: today - dayMs / 2, usage, cost: 1, priceFrom: 0, totalMs: 10, ...changes });

const span = `--from ${day(today - 2 * dayMs)} --to ${day(today)}`;

describe('show', () => {
  beforeEach(() =>
    operator.ledger.write(
      past({ cost: 123_456_789, user: 'ann' }),
      past({ cost: 1, model: 'acme/two', user: 'ben', session: 's,"1"' }),
      past({ tenant: 'umbrella', cost: null, status: 502, error: 'x', user: 'ann' }),
      past({ at: today - dayMs * 1.5, cost: 2_000_000_000 }),
      past({ at: today - dayMs * 20, cost: 7 }),
    ),
  );

  const shown = async (typed: string) => parsed(await operator.run(`usage show ${span} ${typed} --json`));

  test('sums up each tenant, exact to the nano-dollar', async () => {
    expect(await shown('')).toMatchObject([
      { tenant: 'acme', requests: 3, failed_requests: 0, prompt_tokens: 30, cost_usd: '2.12345679' },
      { tenant: 'umbrella', requests: 1, failed_requests: 1, unpriced_requests: 1, cost_usd: '0.00' },
    ]);
  });

  test.each([
    [
      '--by day',
      [
        { day: day(today - 2 * dayMs), requests: 1 },
        { day: day(today - dayMs), requests: 3 },
      ],
    ],
    [
      '--by user,tenant',
      [
        { user: null, tenant: 'acme', requests: 1 },
        { user: 'ann', tenant: 'acme', requests: 1 },
        { user: 'ben', tenant: 'acme', requests: 1 },
        { user: 'ann', tenant: 'umbrella', requests: 1 },
      ],
    ],
  ])('%s groups by that', async (typed, expected) => {
    const rows = await shown(typed);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  });

  test('has what tenants are charged beside the cost, and groups by a tag', async () => {
    await operator.ledger.write(past({ tenant: 'umbrella', cost: 5, charge: 6, tags: { team: 'blue' } }));
    await operator.ledger.write(
      past({ tenant: 'umbrella', cost: null, charge: null, tags: { team: 'blue' } }),
    );
    const rows = await shown('--tenant umbrella --by tag:team');
    expect(rows).toMatchObject([
      { 'tag:team': null },
      {
        'tag:team': 'blue',
        requests: 2,
        uncharged_requests: 1,
        cost_usd: '0.000000005',
        charge_usd: '0.000000006',
      },
    ]);
  });

  test('is a table without empty columns', async () => {
    const { code, output } = await operator.run(`usage show ${span} --tenant acme --by model`);
    expect(code).toBe(0);
    expect(output).toEqual([
      'MODEL     REQUESTS  PROMPT TOKENS  COMPLETION TOKENS     COST USD',
      'acme/one         2             20                 10  2.123456789',
      'acme/two         1             10                  5  0.000000001',
    ]);
  });

  test('as CSV quotes values, and no spreadsheet can read a name as a formula', async () => {
    await operator.ledger.write(past({ user: '=HYPERLINK("x")', session: '-1', cost: -5 }));
    const { output } = await operator.run(`usage show ${span} --tenant acme --by user,session --format csv`);
    // Each line ends with both characters that the format wants; the terminal adds the second.
    expect(output.every((line) => line.endsWith('\r'))).toBe(true);
    expect(output[0]).toMatch(
      /^user,session,requests,failed_requests,.*,cost_usd,charge_usd,estimated_charge_usd\r$/,
    );
    expect(output.slice(1).map((line) => line.split(/,\d+,/)[0])).toEqual([
      ',',
      '"\'=HYPERLINK(""x"")",-1',
      'ann,',
      'ben,"s,""1"""',
    ]);
  });

  test('says from which day the ledger has no records', async () => {
    const typed = `usage show --from ${day(today - 200 * dayMs)} --to ${day(today)} --by user`;
    expect((await operator.run(typed)).stderr).toContain('keeps no records before');
    expect((await operator.run(typed.replace('user', 'day'))).stderr).toBe('');
  });

  test.each([
    ['usage show --by colour', 2, 'colour'],
    ['usage show --from yesterday', 2, 'yesterday'],
    ['usage show --from 2026-02-02 --to 2026-02-01', 2, 'after'],
    ['usage show --format xml', 2, 'xml'],
    ['usage show --tenant missing', 1, 'Tenant not found: missing'],
    ['usage reconcile --days 0', 2, '--days'],
    ['usage replay', 2, 'Missing required argument: <log>'],
    ['usage replay nowhere.log', 1, 'Cannot read nowhere.log: no such file or directory.'],
  ])('"%s" ends with exit code %i', async (typed, code, explanation) => {
    expect(await operator.run(typed)).toMatchObject({
      code,
      output: [],
      stderr: expect.stringContaining(explanation),
    });
  });
});

describe('recompute', () => {
  const deployments = [{ provider: 'acme', region: 'global', upstreamId: 'one' }];
  // Ten tokens at 2000 and five at 8000 nano-dollars.
  const right = 60_000;

  beforeEach(async () => {
    const catalog = createCatalogStore(operator.at('catalog'));
    await catalog.put(modelRow('acme/one', { deployments }), { source: 'seed' });
  });

  test('finds nothing if every cost agrees with ledger and price history', async () => {
    await operator.ledger.write(past({ cost: right }), past({ model: 'acme/gone', cost: 5 }));
    const { code, output, stderr } = await operator.run(`usage recompute ${span}`);
    expect({ code, output }).toEqual({ code: 0, output: [] });
    expect(stderr).toContain('2 requests');
    expect(stderr).toContain('recorded 0.000060005 USD, recomputed 0.000060005 USD');
    expect(stderr).toContain('1 requests use models');
  });

  test('as CSV has a header also without any difference', async () => {
    const { output } = await operator.run(`usage recompute ${span} --format csv`);
    expect(output).toEqual([
      'tenant,time,request,model,provider,recorded_usd,recomputed_usd,recorded_charge_usd,recomputed_charge_usd\r',
    ]);
  });

  test('reports a cost that is one nano-dollar off, with exit code 1, and corrects it with --write', async () => {
    const wrong = past({ cost: right + 1 });
    await operator.ledger.write(wrong, past({ cost: right }));
    const found = await operator.run(`usage recompute ${span} --json`);
    expect(found.code).toBe(1);
    expect(parsed(found)).toMatchObject([
      { tenant: 'acme', request: wrong.requestId, recorded_usd: '0.000060001', recomputed_usd: '0.00006' },
    ]);
    expect(
      (await operator.ledger.usage.counters('acme', { from: day(wrong.at), to: day(wrong.at) }))[0]?.counts
        .cost,
    ).toBe(2 * right + 1);
    const corrected = await operator.run(`usage recompute ${span} --write`);
    await settled();
    expect(corrected).toMatchObject({ code: 0, stderr: expect.stringContaining('1 costs corrected') });
    expect((await operator.run(`usage recompute ${span}`)).code).toBe(0);
    expect(
      (await operator.ledger.usage.counters('acme', { from: day(wrong.at), to: day(wrong.at) }))[0]?.counts
        .cost,
    ).toBe(2 * right);
  });

  test('applies a price that was set for the past, and records which price it was', async () => {
    const since = day(today - dayMs);
    const before = past({ at: today - dayMs * 1.5, cost: right });
    const unknown = past({ cost: null, priceFrom: null });
    await operator.ledger.write(before, past({ cost: right }), unknown);
    const set = await operator.run(`catalog set-price acme/one --input 1 --output 1 --from ${since}`);
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('usage recompute') });
    expect((await operator.run(`usage recompute ${span} --write --tenant acme`)).code).toBe(0);
    const records = await operator.ledger.recordsOf('acme', { from: today - 2 * dayMs, to: today });
    expect(records.map(summaryOf).map(({ cost, priceFrom }) => [cost, priceFrom])).toEqual([
      [right, 0],
      [15_000, Date.parse(since) / 1000],
      [15_000, Date.parse(since) / 1000],
    ]);
    expect(parsed(await operator.run(`usage show ${span} --tenant acme --json`))).toMatchObject([
      { requests: 3, unpriced_requests: 0, cost_usd: '0.00009' },
    ]);
  });
});

describe('reconcile', () => {
  test('lists the daily totals that are wrong, and corrects them from the ledger with --write', async () => {
    const counted = past({ cost: 5 });
    const uncounted = past({ cost: 7 });
    await operator.ledger.write(counted, uncounted);
    // As if the change of one record had been lost.
    const both = addCounts(countsOf(counted), countsOf(uncounted));
    await operator.ledger.usage.replaceCounter(counterKeyOf(counted), countsOf(counted), both, 0);
    const checked = await operator.run('usage reconcile --json');
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('--write') });
    expect(parsed(checked)).toMatchObject([{ tenant: 'acme', state: 'wrong' }]);
    const outcome = await operator.run('usage reconcile --json --write');
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('1 daily totals corrected') });
    expect(parsed(outcome)).toMatchObject([
      {
        tenant: 'acme',
        day: day(counted.at),
        requests_counted: 1,
        requests: 2,
        cost_counted_usd: '0.000000005',
        cost_usd: '0.000000012',
        state: 'fixed',
      },
    ]);
    expect(await operator.run('usage reconcile')).toMatchObject({
      code: 0,
      output: [],
      stderr: 'All daily totals are correct.',
    });
  });
});

describe('replay', () => {
  const line = (record: LedgerRecord) =>
    `2026-11-21T00:00:00Z ${JSON.stringify({ message: lossMessage, record })}`;

  test.each(['a file', 'standard input'])('of %s writes lost records once', async (from) => {
    const lost = past({ cost: 9 });
    const log = ['START', line(lost), line(past({ tenant: 'umbrella', cost: 1 })), line(lost), 'END'].join(
      '\n',
    );
    const path = join(operator.directory, 'gateway.log');
    await writeFile(path, log);
    const typed = ['usage', 'replay', from === 'a file' ? path : '-', '--json'];
    const replayed = await operator.run(typed, { input: log });
    expect(replayed.code).toBe(0);
    expect(parsed(replayed)).toEqual({ restored: 2, known: 0, too_old: 0 });
    expect(parsed(await operator.run(typed, { input: log }))).toMatchObject({ restored: 0, known: 2 });
    expect(parsed(await operator.run(`usage show ${span} --json`))).toMatchObject([
      { tenant: 'acme', requests: 1, cost_usd: '0.000000009' },
      { tenant: 'umbrella', requests: 1, cost_usd: '0.000000001' },
    ]);
  });
});
