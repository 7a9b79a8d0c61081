/** Reads the sums of the dashboard, and the daily counters with what they have for it. */
import { isSumName, type Numbers } from '../../core/accounting/sums.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type {
  DeploymentSumOfPeriod,
  KeySum,
  MonthOfKey,
  Periods,
  SumsStore,
  TenantSum,
  UserSum,
} from '../../core/ports/sums-store.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { getMany } from '../dynamodb/get-many.ts';
import { versionAttribute } from '../dynamodb/schema-version.ts';
import { openTable, type StoredItem, type Table, type TableOptions } from '../dynamodb/table.ts';
import { withCharges } from './counters.ts';
import { counterPartition, daysBetween, lastSuffix, monthsBetween } from './keys.ts';
import { readPositions } from './positions.ts';
import {
  deploymentPartitions,
  hourPartition,
  keyPartitions,
  keysSinceAttribute,
  lastAttribute,
  sinceAttribute,
  sinceKey,
  sumKey,
  tenantKey,
  tenantPartitions,
  userPartition,
} from './sums.ts';

/** Sums of one tenant that are read for one answer: memory and time are limited. */
const maxSums = 50_000;

export function createSumsStore(options: TableOptions): SumsStore {
  const table = openTable(options);
  return {
    since: () => readMark(table, sinceAttribute),
    positions: () => readPositions(table),
    keysSince: () => readMark(table, keysSinceAttribute),
    keyCharges: (month, tenant) => readKeys(table, month, tenant),
    async find(key) {
      const item = await table.get(sumKey(key));
      return item && numbersIn(item);
    },
    async findMany(keys) {
      const items = await getMany(options, keys.map(sumKey));
      const found = new Map(items.map((item) => [nameOf([item[partitionKey], item[sortKey]]), item]));
      return keys.map((key) => {
        const item = found.get(nameOf(sumKey(key)));
        return item && numbersIn(item);
      });
    },
    async hours(tenant, { from, to }) {
      const days = daysBetween(dayIn(from), dayIn(to));
      const found = days.map((day) => {
        const first = day === dayIn(from) ? hourIn(from) : '00';
        const end = day === dayIn(to) ? hourIn(to) : '23';
        return read(table, hourPartition(tenant, day), { from: first, to: end }).then((items) =>
          items.flatMap((item) => keySum(item, (hour) => `${day}T${hour}`)),
        );
      });
      return refuseTooMany((await Promise.all(found)).flat());
    },
    async days(tenant, days) {
      const found = monthsBetween(days.from, days.to).map((month) =>
        read(table, counterPartition(tenant, month), days),
      );
      const items = refuseTooMany((await Promise.all(found)).flat());
      return items.flatMap((item) => keySum(withCharges(item), (day) => day));
    },
    users: (tenant, days, most) => readUsers(table, tenant, days, most),
    async usersIn(tenant, user, days) {
      const keys = days.map((day) => sumKey({ of: 'user', tenant, day, user }));
      return (await getMany(options, keys)).flatMap(userSum);
    },
    tenants: (period) => readTenants(table, period),
    tenantCharges: (period) => readTenants(table, period, [...amountNames, lastAttribute]),
    async tenantsIn(tenants, periods) {
      const keys = tenants.flatMap((tenant) => periods.map((period) => tenantKey(period, tenant)));
      return (await getMany(options, keys)).map((item) => tenantSum(item));
    },
    async deploymentHours({ from, to }) {
      const found = daysBetween(dayIn(from), dayIn(to)).flatMap((day) =>
        deploymentPartitions(day).map((shard) =>
          read(table, shard, {
            from: day === dayIn(from) ? hourIn(from) : '00',
            to: day === dayIn(to) ? hourIn(to) : '23',
          }).then((items) => items.flatMap((item) => deploymentSum(item, (hour) => `${day}T${hour}`))),
        ),
      );
      return (await Promise.all(found)).flat();
    },
    async deploymentDays(days) {
      const found = monthsBetween(days.from, days.to)
        .flatMap(deploymentPartitions)
        .map((shard) => read(table, shard, days));
      return (await Promise.all(found)).flat().flatMap((item) => deploymentSum(item, (day) => day));
    },
  };
}

async function readMark(table: Table, name: string): Promise<number | undefined> {
  return numberIn((await table.get(sinceKey)) ?? {}, name);
}

const nameOf = (key: unknown) => JSON.stringify(key);

/** What lists show of a sum, or are sorted by. */
const amountNames: readonly string[] = [
  'requests',
  'failed',
  'promptTokens',
  'completionTokens',
  'charge',
  'uncharged',
  'cost',
  'unpriced',
  'estimated',
  'estimatedCharge',
];

async function readKeys(table: Table, month: string, tenant: string | undefined) {
  const { from, to } = tenant === undefined ? all : { from: `${tenant}#`, to: `${tenant}#${lastSuffix}` };
  const only = [...amountNames, versionAttribute];
  const range = { from, to, limit: maxSums, mayLag: true, only };
  const found = await Promise.all(keyPartitions(month).map((shard) => table.query(shard, range)));
  return found.flat().flatMap((item): readonly MonthOfKey[] => {
    const [, owner, key] = /^([^#]*)#(.*)$/s.exec(sortOf(item)) ?? [];
    return owner === undefined || key === undefined ? [] : [{ tenant: owner, key, numbers: numbersIn(item) }];
  });
}

const all: Periods = { from: ' ', to: lastSuffix };

const dayIn = (hour: string) => hour.slice(0, 'YYYY-MM-DD'.length);

const hourIn = (hour: string) => hour.slice('YYYY-MM-DDT'.length);

/** Both ends are beginnings of sort keys. */
const read = (table: Table, partition: string, { from, to }: Periods) =>
  table.query(partition, { from, to: `${to}${lastSuffix}`, limit: maxSums + 1, mayLag: true });

function refuseTooMany<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= maxSums) return items;
  throw new GatewayError(
    'invalid_request',
    `'from' and 'to' span more than ${maxSums} sums of keys and models: ask for a shorter time.`,
    { param: 'from' },
  );
}

async function readUsers(table: Table, tenant: string, days: Periods, most: number) {
  const sums: UserSum[] = [];
  for (const month of monthsBetween(days.from, days.to).toReversed()) {
    const limit = most + 1 - sums.length;
    const range = { from: days.from, to: `${days.to}${lastSuffix}`, limit, newestFirst: true, mayLag: true };
    const items = await table.query(userPartition(tenant, month), range);
    sums.push(...items.flatMap(userSum));
    if (sums.length > most) return { sums: sums.slice(0, most), isComplete: false };
  }
  return { sums, isComplete: true };
}

async function readTenants(table: Table, period: string, only?: readonly string[]) {
  const range = {
    from: all.from,
    to: all.to,
    mayLag: true,
    ...(only && { only: [...only, versionAttribute] }),
  };
  const found = tenantPartitions(period).map((shard) => table.query(shard, range));
  return (await Promise.all(found)).flat().map((item) => tenantSum(item));
}

const sortOf = (item: StoredItem) => String(item[sortKey]);

function keySum(item: StoredItem, periodOf: (text: string) => string): readonly KeySum[] {
  const [, period, key, model] = /^([^#]*)#([^#]*)#(.*)$/s.exec(sortOf(item)) ?? [];
  if (period === undefined || key === undefined || model === undefined) return [];
  return [{ period: periodOf(period), key, model, numbers: numbersIn(item) }];
}

function userSum(item: StoredItem): readonly UserSum[] {
  const [, period, user] = /^([^#]*)#(.*)$/s.exec(sortOf(item)) ?? [];
  if (period === undefined || user === undefined) return [];
  return [{ period, user, numbers: numbersIn(item) }];
}

function tenantSum(item: StoredItem): TenantSum {
  const [, period = ''] = String(item[partitionKey]).split('#');
  return {
    period,
    tenant: sortOf(item),
    numbers: numbersIn(item),
    lastAt: numberIn(item, lastAttribute) ?? 0,
  };
}

function deploymentSum(
  item: StoredItem,
  periodOf: (text: string) => string,
): readonly DeploymentSumOfPeriod[] {
  const [, period, provider, region, model] = /^([^#]*)#([^#]*)#([^#]*)#(.*)$/s.exec(sortOf(item)) ?? [];
  if (period === undefined || provider === undefined || region === undefined || model === undefined)
    return [];
  const lastFailureAt = numberIn(item, lastAttribute);
  const numbers = numbersIn(item);
  return [
    { period: periodOf(period), provider, region, model, numbers, ...(lastFailureAt && { lastFailureAt }) },
  ];
}

function numberIn(item: StoredItem, name: string): number | undefined {
  const value = item[name];
  return typeof value === 'number' ? value : undefined;
}

/** Those of an item whose names a sum has. */
function numbersIn(item: StoredItem): Numbers {
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'number' && isSumName(name)) numbers[name] = value;
  }
  return numbers;
}
