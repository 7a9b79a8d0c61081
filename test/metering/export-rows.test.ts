/** The exports have all that an amount follows from: each is computed again from a line of them and the prices of the catalog alone. */
import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { priceAt, pricesOf } from '../../lib/core/accounting/price.ts';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import { addUsage, type Usage } from '../../lib/core/generation/usage.ts';
import { billOf } from '../../lib/metering/cost/bill.ts';
import { costOf } from '../../lib/metering/cost/cost.ts';
import { type ExportFormat, exportFormats, exportWriter } from '../../lib/metering/export/formats.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { testAttempt, testRecord, unbilled } from '../harness/ledger.ts';
import { textModel } from '../harness/text-model.ts';
import { usageOf } from './usages.ts';

const amounts = {
  input: 5,
  output: 30,
  cachedInput: 0.5,
  cacheWrite: 6.25,
  cacheWriteHour: 10,
  audioInput: 40,
};
const price = {
  ...amounts,
  imageInput: 8,
  reasoning: 31,
  tiers: [{ ...amounts, aboveInputTokens: 200_000, input: 10 }],
  serviceTiers: { flex: { ...amounts, input: 2.5, tiers: [] } },
  hours: [{ ...amounts, utc: ['01:00-04:00'], input: 7 }],
  webSearch: 10,
  hostedTools: { file_search: 2.5 },
  cacheStorage: 4.5,
  image: 0.04,
  request: 1,
  upliftPercent: 10,
  statedCost: 'compare',
};

const deployments = [
  { provider: 'acme', region: 'global', upstreamId: 'one' },
  { provider: 'other', region: 'eu', upstreamId: 'one', price: { ...price, output: 33 } },
];
const laterPrices = [{ from: '2026-11-20T12:00:00Z', ...price, input: 6 }];
const model = readModelRow(
  textModel('acme/one', {}, { created: '2026-11-01', price, laterPrices, deployments }),
);

const before = Date.parse('2026-11-20T11:59:59Z');
const after = Date.parse('2026-11-20T12:00:00Z');
const pricing = [{ from: 0, markup: 1_735 }];

function attempt(counts: Partial<Usage> | Usage, facts: Partial<AttemptFacts> = {}): AttemptFacts {
  const place = { model: model.id, provider: 'acme', region: 'global', at: after, ...facts };
  const dated = priceAt(pricesOf(model, place) ?? [], place.at / 1_000);
  return testAttempt({ ...place, usage: usageOf(counts), ...(dated && { price: dated }), ...facts });
}

const bill = (attempts: readonly AttemptFacts[], terms = pricing): LedgerRecord =>
  billOf({ ...unbilled(testRecord({ at: after }), undefined), model: model.id, attempts }, terms);

const text = { promptTokens: 1_000, completionTokens: 70 };
const calls = addUsage(
  usageOf({ promptTokens: 150_000 }),
  usageOf({ promptTokens: 200_001, completionTokens: 9 }),
);

const records: readonly (readonly [string, LedgerRecord])[] = [
  ['text', bill([attempt(text)])],
  ['text before the price changed', bill([attempt(text, { at: before })])],
  ['another service tier', bill([attempt(text, { tier: 'flex' })])],
  ['an hour with prices of its own', bill([attempt(text, { endedAt: Date.parse('2026-11-21T02:00:00Z') })])],
  ['a long prompt', bill([attempt({ promptTokens: 200_001 })])],
  ['two calls, of which one is long', bill([attempt(calls)])],
  [
    'writes to the cache for minutes and for an hour',
    bill([attempt({ ...text, cachedTokens: 10, cacheWriteTokens: 900, cacheWriteHourTokens: 600 })]),
  ],
  [
    'audio, images and reasoning',
    bill([attempt({ ...text, inputAudioTokens: 400, inputImageTokens: 90, reasoningTokens: 60 })]),
  ],
  ['tools of the provider', bill([attempt({ ...text, webSearches: 3, hostedCalls: { file_search: 2 } })])],
  ['stored content', bill([attempt({ ...text, cacheStorage: { tokens: 5_000, seconds: 600 } })])],
  ['generated images', bill([attempt({ images: 4 })])],
  ['an estimate', bill([attempt(text, { estimated: true })])],
  [
    'a further attempt at another place',
    bill([
      attempt({ promptTokens: 40 }, { error: 'upstream_cut' }),
      attempt(text, { provider: 'other', region: 'eu' }),
    ]),
  ],
  ['a call whose counts never came', bill([attempt(text, { uncounted: 1 })])],
  ['no markup', bill([attempt(text)], [])],
];

const countNames = {
  prompt_tokens: 'promptTokens',
  cached_tokens: 'cachedTokens',
  cache_write_tokens: 'cacheWriteTokens',
  cache_write_hour_tokens: 'cacheWriteHourTokens',
  completion_tokens: 'completionTokens',
  reasoning_tokens: 'reasoningTokens',
  input_image_tokens: 'inputImageTokens',
  input_audio_tokens: 'inputAudioTokens',
  cached_image_tokens: 'cachedImageTokens',
  cached_audio_tokens: 'cachedAudioTokens',
  output_image_tokens: 'outputImageTokens',
  web_searches: 'webSearches',
  images: 'images',
  hosted_calls: 'hostedCalls',
  cache_storage: 'cacheStorage',
} as const;

type Row = Readonly<Record<string, unknown>>;

function readLine(format: ExportFormat, record: LedgerRecord): Row {
  const writer = exportWriter(format, { issuer: 'Acme', isClosed: () => false });
  const line = writer.record(record) ?? '';
  if (format === 'jsonl') return JSON.parse(line);
  const names = (writer.head ?? '').trim().split(',');
  const values = [...line.trim().matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value = '']) =>
    value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value,
  );
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/** Nano-dollars of an attempt; null: unknown. */
function costOfRow(row: Row): number | null {
  if (row.uncounted !== undefined) return null;
  const from = Date.parse(String(row.price_from)) / 1_000;
  const place = {
    provider: String(row.provider),
    region: String(row.region),
    ...(row.upstream_id !== undefined && { upstreamId: String(row.upstream_id) }),
  };
  const dated = (pricesOf(model, place) ?? []).find((one) => one.from === from);
  const counts = (row.calls as readonly Row[]).map((call) =>
    usageOf(
      Object.fromEntries(
        Object.entries(call).map(([name, count]) => [countNames[name as keyof typeof countNames], count]),
      ),
    ),
  );
  const served = {
    at: Date.parse(String(row.ended)),
    ...(row.service_tier !== undefined && { tier: String(row.service_tier) }),
  };
  return counts.reduce<number | null>((sum, usage) => {
    const cost = costOf(usage, dated?.price, served);
    return sum === null || cost === null ? null : sum + cost;
  }, 0);
}

/** With the percentage that the row names, rounded half up. */
function chargeOfRow(cost: number | null, terms: unknown): number | null {
  const percent = /^(-?[\d.]+) % from /.exec(String(terms ?? ''))?.[1] ?? '0';
  return cost === null
    ? null
    : Math.floor((cost * (10_000 + Math.round(Number(percent) * 100)) + 5_000) / 10_000);
}

const sum = (all: readonly (number | null)[]) =>
  all.reduce((total, one) => (total === null || one === null ? null : total + one), 0);
const dollars = (amount: number | null) => (amount === null ? null : formatDollars(amount));
const orNull = (value: unknown) => (value === '' ? null : value);

test.each(records)('%s: cost and charge follow from a line of csv and of jsonl', (_name, record) => {
  for (const format of ['csv', 'jsonl'] as const) {
    const row = readLine(format, record);
    const attempts: readonly Row[] = typeof row.calls === 'string' ? JSON.parse(row.calls) : row.calls;
    const costs = attempts.map(costOfRow);
    const charges = costs.map((cost) => chargeOfRow(cost, row.pricing));
    expect([orNull(row.cost_usd), orNull(row.charge_usd)]).toEqual([
      dollars(sum(costs)),
      dollars(sum(charges)),
    ]);
    expect(attempts.map(({ cost_usd, charge_usd }) => [cost_usd, charge_usd])).toEqual(
      costs.map((cost, index) => [dollars(cost), dollars(charges[index] ?? null)]),
    );
    expect(String(row.estimated)).toBe(String(attempts.some(({ estimated }) => estimated)));
  }
  expect(record.cost === null).toBe(record.attempts.some(({ uncounted = 0 }) => uncounted > 0));
});

test.each(records.filter(([, { charge }]) => charge !== null))(
  '%s: so does the billed cost of FOCUS, which does not show what the provider takes',
  (_name, record) => {
    const row = readLine('focus', record);
    const attempts: readonly Row[] = JSON.parse(String(row.x_Calls));
    expect(row.BilledCost).toBe(
      dollars(sum(attempts.map((one) => chargeOfRow(costOfRow(one), row.x_Pricing)))),
    );
    expect(JSON.stringify(row)).not.toContain('cost_usd');
  },
);

test('lines of flex and standard, and writes of an hour, differ without reading the calls', () => {
  for (const format of exportFormats) {
    const tier = format === 'focus' ? 'x_ServiceTier' : 'service_tier';
    expect(records.slice(0, 3).map(([, record]) => orNull(readLine(format, record)[tier] ?? null))).toEqual([
      null,
      null,
      'flex',
    ]);
  }
  expect(readLine('jsonl', records[6]?.[1] as LedgerRecord)).toMatchObject({
    cache_write_tokens: 900,
    cache_write_hour_tokens: 600,
  });
});
