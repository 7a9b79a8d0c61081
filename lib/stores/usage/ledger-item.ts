/**
 * The item of one ledger record, and the record that it holds.
 *
 * Each write is charged by the kilobyte, and a record with its holds is to fit into one. So what the key or another field says is
 * left out: an absent field of an attempt has the value of the record, and an absent charge is the cost.
 */
import type { LedgerItem } from '../../core/accounting/journal.ts';
import type { LedgerAttempt, LedgerRecord } from '../../core/accounting/ledger.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import type { Hold } from '../../core/accounting/limits.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { isLater } from '../dynamodb/schema-version.ts';
import type { StoredItem } from '../dynamodb/table.ts';

/** The fields of an attempt, but for those that have the value in `repeated`. */
export function attemptToFields(attempt: LedgerAttempt, repeated: Fields = {}): object {
  const fields: Record<string, unknown> = {};
  for (const name of namesOf(attempt)) {
    if (attempt[name] !== repeated[name]) fields[name] = attempt[name];
  }
  const { usage, rawUsage } = attempt;
  if (usage) fields.usage = withoutZeros(usage);
  // Text, because DynamoDB does not allow every number and name of JSON.
  if (rawUsage) fields.rawUsage = JSON.stringify(rawUsage);
  return fields;
}

const namesOf = <Source extends object>(source: Source) => Object.keys(source) as (keyof Source & string)[];

/** The fields of a record that its key does not have. */
export function recordToFields(record: LedgerRecord): object {
  const { requestId: _, at: __, tenant: ___, attempts, holds, requestedModel, charge, ...kept } = record;
  return {
    ...kept,
    ...(requestedModel !== record.model && { requestedModel }),
    ...(charge !== record.cost && { charge }),
    attempts: attempts.map((attempt) =>
      attemptToFields(attempt, { ...inheritedOf(record), charge: attempt.cost }),
    ),
    ...(holds && { holds: holds.map(holdToFields) }),
  };
}

/** What an attempt has if it does not say otherwise. */
const inheritedOf = ({ provider, model, region, at, cost, attempts }: Inherited): Fields => ({
  provider,
  model,
  region,
  at,
  ...(Array.isArray(attempts) && attempts.length === 1 && { cost }),
});

type Inherited = {
  readonly [Name in 'provider' | 'model' | 'region' | 'at' | 'cost' | 'attempts']?: unknown;
};

const holdNames = ['kind', 'id', 'minute', 'day', 'tokens', 'amount', 'running'] as const;

/** As a list of its values, with those that few holds have in a map at its end. */
function holdToFields({ kind, id, minute, day, tokens, amount, running, ...rare }: Hold): readonly unknown[] {
  const values = [kind, id, minute, day, tokens, amount, running];
  return Object.keys(rare).length > 0 ? [...values, rare] : values;
}

function holdFrom(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  const named = holdNames.map((name, index) => [name, fields[index]] as const);
  return { ...Object.fromEntries(named), ...fields[holdNames.length] };
}

const zeroUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

function withoutZeros(usage: Usage): Fields {
  const fields: Record<string, unknown> = {};
  for (const name of namesOf(usage)) {
    if (usage[name] !== 0 || !(name in zeroUsage)) fields[name] = usage[name];
  }
  return fields;
}

/** Undefined for an item that holds no valid record, or has a later schema version. Items without a state are of when there were only final records. */
export function readLedgerItem(item: StoredItem): LedgerItem | undefined {
  const { record, state } = item;
  if (!isJsonObject(record) || isLater(item)) return undefined;
  const read = readLedgerRecord(recordFrom({ ...keyFields(item), ...record }));
  return read && { state: state === 'open' ? 'open' : 'done', record: read };
}

/** What the key of an item says of its record. */
function keyFields({ [partitionKey]: partition, [sortKey]: sort }: StoredItem): object {
  const [, tenant] = String(partition).split('#');
  const [, time = '', requestId] = /^(.{24})#(.*)$/s.exec(String(sort)) ?? [];
  return { tenant, at: Date.parse(time), requestId };
}

type Fields = Readonly<Record<string, unknown>>;

function recordFrom(fields: Fields): object {
  const { attempts, holds } = fields;
  // Records of the old form have a number of attempts.
  if (!Array.isArray(attempts)) return withReadUsage(fields);
  const inherited = inheritedOf(fields);
  return {
    requestedModel: fields.model,
    charge: fields.cost,
    ...fields,
    attempts: attempts.map((attempt: Fields) => {
      const whole = { ...inherited, ...attempt };
      return withReadUsage({ charge: whole.cost, ...whole });
    }),
    ...(Array.isArray(holds) && { holds: holds.map(holdFrom) }),
  };
}

function withReadUsage({ rawUsage, usage, ...fields }: Fields): Fields {
  return {
    ...fields,
    ...(isJsonObject(usage) && { usage: { ...zeroUsage, ...usage } }),
    ...(typeof rawUsage === 'string' && { rawUsage: parse(rawUsage) }),
  };
}

/** Text that is not JSON stays as it is: no usage is a text, so the record is not valid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
