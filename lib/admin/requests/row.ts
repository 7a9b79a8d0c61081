/** One record of the ledger, as lists show it. */

import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import { type LedgerRecord, usageOf } from '../../core/accounting/ledger.ts';
import { type GuardAction, strictest } from '../../core/guardrails/guard-record.ts';
import { countsOf } from '../../metering/cost/counts.ts';
import { writeReplayed } from '../../metering/usage/write-request.ts';
import { dollarsOf } from '../dollars.ts';
import type { RequestRow } from './schema.ts';

export interface Shown {
  /** Whether the user sees what providers take. */
  readonly seesCost: boolean;
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** What lists and one request have in common. `isOpen`: it is running. */
export const aboutRequest = (record: LedgerRecord, { names }: Shown, isOpen = false) => ({
  id: record.requestId,
  created_at: record.at / 1000,
  status: statusOf(record, isOpen),
  // An open request is 200 until it is known otherwise.
  http_status: isOpen ? null : record.status,
  error: record.error ?? null,
  operation: record.operation,
  requested_model: record.requestedModel,
  model: record.model,
  provider: record.provider,
  region: record.region,
  tenant: record.tenant,
  key: record.key,
  key_name: names.get(record.key) ?? null,
  user: record.user ?? null,
  session: record.session ?? null,
  tags: { ...record.tags },
  streamed: record.streamed,
  response: record.response ?? null,
  batch: record.batch ?? null,
  first_byte_ms: record.firstByteMs ?? null,
  total_ms: isOpen ? null : record.totalMs,
  normalizations: record.normalizations,
  replayed: writeReplayed(record),
  refusal: null,
});

function statusOf(record: LedgerRecord, isOpen: boolean): RequestRow['status'] {
  if (isOpen) return 'open';
  if (record.error === interrupted) return 'interrupted';
  return countsOf(record).failed > 0 ? 'failed' : 'ok';
}

/** `isOpen`: it is running, and what it uses is not known. */
export function toRow(record: LedgerRecord, shown: Shown, isOpen = false): RequestRow {
  const usage = isOpen ? undefined : usageOf(record);
  return {
    object: 'request',
    ...aboutRequest(record, shown, isOpen),
    attempts: record.attempts.length,
    prompt_tokens: usage?.promptTokens ?? null,
    cached_tokens: usage?.cachedTokens ?? null,
    completion_tokens: usage?.completionTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    guard: guardOf(record),
    ...amounts(isOpen ? unknown : record, shown),
  };
}

function guardOf({ guard = [] }: LedgerRecord): RequestRow['guard'] {
  const action = guard.reduce<GuardAction>((all, one) => strictest(all, one.action), 'pass');
  return action === 'pass' ? null : action;
}

export const unknown = { cost: null, charge: null };

/** Null: unknown. */
export const amounts = (
  { cost, charge }: Pick<LedgerItem['record'], 'cost' | 'charge'>,
  { seesCost }: Pick<Shown, 'seesCost'>,
) => ({
  cost: dollarsOf(charge),
  cost_nano_usd: charge,
  ...(seesCost && { provider_cost: dollarsOf(cost), provider_cost_nano_usd: cost }),
});
