/**
 * The item of one ledger record, and the record that it holds. A write costs by each KB, so what a record says twice is stored once:
 * an attempt is stored without what it shares with the request, and a usage without counts that are 0.
 */
import type { LedgerItem } from '../../core/accounting/changes.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { isJsonObject } from '../../core/json-object.ts';
import type { StoredItem } from '../dynamodb/table.ts';

type Fields = Readonly<Record<string, unknown>>;

export const recordToFields = ({ holds, ...record }: LedgerRecord): object => ({
  ...without(record, { requestedModel: record.model }),
  attempts: attemptsToFields(record),
  ...(holds && { holds: holds.map((hold) => renamed(hold, storedNames)) }),
});

/** The usage reported by upstream is stored as JSON text: DynamoDB does not allow every number and name of JSON. */
export const attemptsToFields = (record: LedgerRecord): readonly object[] =>
  record.attempts.map(({ rawUsage, usage, ...attempt }) => ({
    ...without(attempt, sharedBy({ ...record })),
    ...(usage && { usage: usageToFields(usage) }),
    ...(rawUsage && { rawUsage: JSON.stringify(rawUsage) }),
  }));

/** What an attempt has in common with its request, unless it says otherwise. */
function sharedBy({ provider, model, region, at, cost, charge, attempts }: Fields): Fields {
  const isOnly = Array.isArray(attempts) && attempts.length === 1;
  return { provider, model, region, at, ...(isOnly && { cost, charge }) };
}

const without = (fields: object, shared: Fields): object =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => shared[name] !== value));

const usageToFields = ({ calls, ...counts }: Usage): object => ({
  ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
  ...(calls && { calls: calls.map(usageToFields) }),
});

/** The names of a hold's fields. */
const storedNames: Readonly<Record<string, string>> = {
  kind: 'k',
  id: 'i',
  shard: 's',
  minute: 'm',
  day: 'd',
  tokens: 't',
  amount: 'a',
  running: 'r',
  isPrepaid: 'p',
};

const readNames = Object.fromEntries(Object.entries(storedNames).map(([name, stored]) => [stored, name]));

const renamed = (fields: object, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));

/** Undefined for an item that holds no valid record. Items without a state are of when there were only final records. */
export function readLedgerItem({ record, state }: StoredItem): LedgerItem | undefined {
  if (!isJsonObject(record)) return undefined;
  const read = readLedgerRecord(fromFields(record));
  return read && { state: state === 'open' ? 'open' : 'done', record: read };
}

function fromFields({ holds, ...record }: Fields): object {
  const { attempts } = record;
  const shared = sharedBy(record);
  return {
    requestedModel: record.model,
    ...withUsage(record),
    ...(Array.isArray(attempts) && {
      attempts: attempts.map((attempt) =>
        isJsonObject(attempt) ? { ...shared, ...withUsage(attempt) } : attempt,
      ),
    }),
    ...(Array.isArray(holds) && { holds: holds.map((hold) => renamed(Object(hold), readNames)) }),
  };
}

/** Records of when there were no attempts have a usage of their own. */
function withUsage({ usage, rawUsage, ...fields }: Fields): Fields {
  return {
    ...fields,
    ...(isJsonObject(usage) && { usage: usageFrom(usage) }),
    ...(typeof rawUsage === 'string' && { rawUsage: JSON.parse(rawUsage) }),
  };
}

const noTokens = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

const usageFrom = ({ calls, ...counts }: Fields): Fields => ({
  ...noTokens,
  ...counts,
  ...(Array.isArray(calls) && { calls: calls.map((call) => usageFrom(Object(call))) }),
});
