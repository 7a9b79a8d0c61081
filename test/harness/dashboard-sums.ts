/** What the dashboard's sums of one tenant are, and what they must be from the records of the ledger. */
import { addCounts, countNames, toCounts } from '../../lib/core/accounting/counters.ts';
import { quantileOf } from '../../lib/core/accounting/first-byte.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Numbers } from '../../lib/core/accounting/sums.ts';
import type { SumsStore } from '../../lib/core/ports/sums-store.ts';
import { countsOf } from '../../lib/metering/cost/counts.ts';

/** By what each is of. */
type Sums = ReadonlyMap<string, Numbers>;

/** All of one day, but those of places. */
export async function sumsOf(store: SumsStore, tenant: string, day: string): Promise<Sums> {
  const days = { from: day, to: day };
  const hours = await store.hours(tenant, { from: `${day}T00`, to: `${day}T23` });
  const { sums: users } = await store.users(tenant, days, 1_000);
  const ofDay = await store.days(tenant, days);
  const month = day.slice(0, 7);
  const months = [...new Set(ofDay.map(({ key }) => key))].map(async (key) => {
    const numbers = await store.find({ of: 'key', month, tenant, key });
    return [`${month} ${key}`, numbers ?? {}] as const;
  });
  const tenants = await store.tenantsIn([tenant], [day, day.slice(0, 7)]);
  const keys = [...hours, ...ofDay];
  return new Map([
    ...keys.map(({ period, key, model, numbers }) => [`${period} ${key} ${model}`, numbers] as const),
    ...(await Promise.all(months)),
    ...users.map(({ period, user, numbers }) => [`${period} ${user}`, numbers] as const),
    ...tenants.map(({ period, numbers }) => [period, numbers] as const),
  ]);
}

/** The records that each of these sums is of. */
function group(records: readonly LedgerRecord[]): ReadonlyMap<string, readonly LedgerRecord[]> {
  const groups = new Map<string, LedgerRecord[]>();
  for (const record of records) {
    const { at, key, model, user } = record;
    const time = new Date(at).toISOString();
    const [month, day, hour] = [7, 10, 13].map((length) => time.slice(0, length));
    const names = [
      `${hour} ${key} ${model}`,
      `${day} ${key} ${model}`,
      `${day}`,
      `${month}`,
      `${month} ${key}`,
    ];
    for (const name of user ? [...names, `${day} ${user}`] : names)
      groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return groups;
}

type Counted = Readonly<Record<string, object>>;

export const countsIn = (sums: Sums): Counted =>
  Object.fromEntries(
    [...sums].map(([name, numbers]) => [name, only([...countNames, 'detailed', 'cacheHits'], numbers)]),
  );

const only = (names: readonly (keyof Numbers)[], numbers: Numbers): Numbers =>
  Object.fromEntries(names.map((name) => [name, numbers[name] ?? 0]));

export const countsOfAll = (records: readonly LedgerRecord[]): Counted =>
  Object.fromEntries(
    [...group(records)].map(([name, of]) => [
      name,
      {
        ...of.map(countsOf).reduce(addCounts, toCounts()),
        detailed: of.length,
        cacheHits: of.filter((record) => countsOf(record).cachedTokens > 0).length,
      },
    ]),
  );

/** The names of the sums whose median of times to the first token is not within its error of that of the records. */
export function differingMedians(sums: Sums, records: readonly LedgerRecord[]): readonly string[] {
  const groups = group(records);
  return [...sums].flatMap(([name, numbers]) => {
    const times = (groups.get(name) ?? []).flatMap(({ firstByteMs }) => firstByteMs ?? []);
    const exact = times.toSorted((one, other) => one - other)[Math.ceil(times.length / 2) - 1] ?? 0;
    const found = quantileOf(numbers, 0.5) ?? 0;
    return Math.abs(found - exact) <= exact * 0.096 ? [] : [name];
  });
}

/** By region and model: requests that ended there, calls, and calls that failed. */
type Calls = Readonly<Record<string, readonly number[]>>;

/** Of a provider, in its hours and in the day. */
export async function deploymentsOf(
  store: SumsStore,
  provider: string,
  day: string,
): Promise<readonly Calls[]> {
  const inHours = await store.deploymentHours({ from: `${day}T00`, to: `${day}T23` });
  const inDays = await store.deploymentDays({ from: day, to: day });
  return [inHours, inDays].map((places) =>
    addUp(
      places
        .filter((place) => place.provider === provider)
        .map(
          ({
            region,
            model,
            numbers: { requests = 0, attempts = 0, 'failed#provider_error': failed = 0 },
          }) => [`${region} ${model}`, [requests, attempts, failed]],
        ),
    ),
  );
}

/** Twice: what they are in the hours, and in the day. */
export function callsOfAll(records: readonly LedgerRecord[]): readonly Calls[] {
  const calls = addUp([
    ...records.map(({ region, model }) => [`${region} ${model}`, [1, 0, 0]] as const),
    ...records
      .flatMap(({ attempts }) => attempts)
      .map(
        ({ region, model, error }) => [`${region} ${model}`, [0, 1, error === undefined ? 0 : 1]] as const,
      ),
  ]);
  return [calls, calls];
}

function addUp(parts: readonly (readonly [name: string, numbers: readonly number[]])[]): Calls {
  const sums: Record<string, readonly number[]> = {};
  for (const [name, numbers] of parts)
    sums[name] = numbers.map((number, index) => number + (sums[name]?.[index] ?? 0));
  return sums;
}
