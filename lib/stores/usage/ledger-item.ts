/**
 * The item of one ledger record; `read-ledger-item.ts` reads it.
 *
 * Each write is charged by the kilobyte, and a record with its holds is to fit into one. So what the key or another field says is
 * left out: an absent field of an attempt has the value of the record, and an absent charge is the cost.
 */
import type { LedgerAttempt, LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Hold } from '../../core/accounting/limits.ts';
import type { Usage } from '../../core/generation/usage.ts';

/** The fields of an attempt, but for those that have the value in `repeated`. A field that is undefined is not written. */
export function attemptToFields(attempt: LedgerAttempt, repeated: Fields = {}): object {
  const fields: Record<string, unknown> = { ...attempt };
  for (const name of Object.keys(repeated)) if (fields[name] === repeated[name]) fields[name] = undefined;
  const { usage, rawUsage } = attempt;
  if (usage) fields.usage = withoutZeros(usage);
  // Text, because DynamoDB does not allow every number and name of JSON.
  if (rawUsage) fields.rawUsage = JSON.stringify(rawUsage);
  return fields;
}

const inKey = { requestId: undefined, at: undefined, tenant: undefined };

/** The fields of a record that its key does not have. A field that is undefined is not written. */
export function recordToFields(record: LedgerRecord): object {
  const { attempts, holds } = record;
  const fields: Record<string, unknown> = { ...record, ...inKey };
  if (record.requestedModel === record.model) fields.requestedModel = undefined;
  if (record.charge === record.cost) fields.charge = undefined;
  fields.attempts = attempts.map((attempt) =>
    attemptToFields(attempt, { ...inheritedOf(record), charge: attempt.cost }),
  );
  if (holds) fields.holds = holds.map(holdToFields);
  return fields;
}

/** What an attempt has if it does not say otherwise. */
export const inheritedOf = ({ provider, model, region, at, cost, attempts }: Inherited): Fields => ({
  provider,
  model,
  region,
  at,
  ...(Array.isArray(attempts) && attempts.length === 1 && { cost }),
});

type Inherited = {
  readonly [Name in 'provider' | 'model' | 'region' | 'at' | 'cost' | 'attempts']?: unknown;
};

export const holdNames = ['kind', 'id', 'minute', 'day', 'tokens', 'amount', 'running'] as const;

/** As a list of its values, with those that few holds have in a map at its end. */
function holdToFields({ kind, id, minute, day, tokens, amount, running, ...rare }: Hold): readonly unknown[] {
  const values = [kind, id, minute, day, tokens, amount, running];
  return Object.keys(rare).length > 0 ? [...values, rare] : values;
}

export const zeroUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

const countNames = Object.keys(zeroUsage);

function withoutZeros(usage: Usage): Fields {
  const fields: Record<string, unknown> = { ...usage };
  for (const name of countNames) if (fields[name] === 0) fields[name] = undefined;
  return fields;
}

export type Fields = Readonly<Record<string, unknown>>;
