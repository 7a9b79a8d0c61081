/** Compares records of the ledger with what the providers counted. Each function gives what is wrong, a line for each. */
import { interrupted } from '../../lib/core/accounting/interrupted.ts';
import type { LedgerAttempt, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { chargeExpected, type Expected, expectedOf, faultOf } from './judge.ts';
import { planOf } from './plan.ts';
import { tenantOf } from './tenants.ts';
import type { ServedCall } from './upstream.ts';

/** The calls of a request, in order of arrival. */
type CallsOf = (number: number) => readonly ServedCall[];
/** Records by the number of their request. */
export type Records = ReadonlyMap<number, LedgerRecord>;

export const numberOf = ({ user }: LedgerRecord): number => Number(user?.replace('user-', ''));

export const isInterrupted = ({ error }: LedgerRecord): boolean => error === interrupted;

/** Images are drawn by several calls of one attempt. */
export const isJoined = (number: number): boolean => planOf(number).model === 'billed/drawings';

/** Unknown if one of them is. */
export const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);

export interface Audit {
  readonly faults: readonly string[];
  /** How often which kind of cost was expected. */
  readonly kinds: ReadonlyMap<Expected['kind'], number>;
}

/** Each call of a provider is an attempt, at the cost of the price list. */
export function auditAttempts(records: Records, callsOf: CallsOf): Audit {
  const kinds = new Map<Expected['kind'], number>();
  const faults: string[] = [];
  for (const [number, record] of records) {
    const calls = callsOf(number);
    if (isInterrupted(record)) faults.push(...auditInterrupted(number, record, calls));
    if (isJoined(number) || isInterrupted(record)) continue;
    const attempts = arrivedIn(record, calls);
    if (calls.length !== attempts.length) {
      const errors = record.attempts.map(({ error, cost }) => `${error} ${cost}`);
      faults.push(`${number}: ${calls.length} calls, attempts ${errors}`);
    }
    for (const [index, call] of calls.entries()) {
      const expected = expectedOf(call);
      kinds.set(expected.kind, (kinds.get(expected.kind) ?? 0) + 1);
      const attempt = attempts[index];
      const fault = attempt && faultOf(expected, attempt);
      if (fault) faults.push(`${number} ${call.model} ${call.planned.way} ${index}: ${fault}`);
    }
  }
  return { faults, kinds };
}

/**
 * On a busy machine, the gateway's own clock ends a call before its provider has read it. What it costs is unknown to the gateway;
 * such attempts are left out here.
 */
function arrivedIn({ attempts }: LedgerRecord, calls: readonly ServedCall[]): readonly LedgerAttempt[] {
  let unread = attempts.length - calls.length;
  return attempts.filter(({ error, cost, estimated }) => {
    const isUnread = unread > 0 && error === 'provider_timeout' && (cost === null || estimated === true);
    if (isUnread) unread -= 1;
    return !isUnread;
  });
}

/** How long an open record may take to be written while the store has faults, in milliseconds. */
export const openMs = 5_000;

/** The last call is estimated by its prompt and its time; that of images is unknown. Those before it are what they are in other records. */
function auditInterrupted(
  number: number,
  record: LedgerRecord,
  calls: readonly ServedCall[],
): readonly string[] {
  if (isJoined(number)) return [];
  const faults = [];
  // The process may have ended between its last call and the note of it, or while the store refused the notes of several.
  const { at: lastAt = 0 } = calls.at(-1) ?? {};
  const noted = calls.filter(({ at }) => at < lastAt - openMs).length;
  const attempts = arrivedIn(record, calls);
  // Or between the note of its last call and the provider's reading of it.
  if (attempts.length > calls.length + 1 || attempts.length < noted) {
    faults.push(`${number}: ${calls.length} calls, ${attempts.length} attempts, interrupted`);
  }
  const last = attempts.at(-1);
  const isEstimated = calls.at(-1)?.protocol !== 'images';
  // By which protocol images were asked for is known once the provider has read the call.
  const isUnknown = attempts.length > calls.length && planOf(number).operation === 'images/generations';
  if (!isUnknown && (isEstimated ? !last?.estimated || last.cost === 0 : last?.cost !== null))
    faults.push(`${number}: interrupted, recorded ${last?.cost}`);
  for (const [index, attempt] of attempts.slice(0, -1).entries()) {
    const call = calls[index];
    const fault = call && faultOf(expectedOf(call), attempt);
    if (fault) faults.push(`${number} ${index}, interrupted: ${fault}`);
  }
  return faults;
}

/** Images that are drawn by several calls cost what all of these calls counted. */
export function auditJoined(records: Records, callsOf: CallsOf): readonly string[] {
  const faults: string[] = [];
  for (const [number, record] of records) {
    if (!isJoined(number) || isInterrupted(record)) continue;
    const expected = callsOf(number).map(expectedOf);
    const isKnown = expected.every(({ kind }) => kind === 'counted' || kind === 'free');
    const counted = expected.map((one) => (one.kind === 'counted' ? one.cost : 0));
    if (record.cost !== (isKnown ? sumOf(counted) : null)) {
      faults.push(`${number}: ${counted}, recorded ${record.cost}`);
    }
  }
  return faults;
}

/** What was counted is charged at the terms of its tenant, and a record has the sums of its attempts. */
export function auditCharges(records: Records, callsOf: CallsOf): readonly string[] {
  const faults: string[] = [];
  for (const [number, record] of records) {
    const { tenant, cost, charge } = record;
    if (tenant !== tenantOf(number).name) faults.push(`${number}: of ${tenant}`);
    if (cost !== sumOf(record.attempts.map((attempt) => attempt.cost)))
      faults.push(`${number}: cost ${cost}`);
    if (charge !== sumOf(record.attempts.map((attempt) => attempt.charge)))
      faults.push(`${number}: charge ${charge}`);
    if (isJoined(number)) continue;
    const attempts = arrivedIn(record, callsOf(number));
    for (const [index, call] of callsOf(number).entries()) {
      const kind = expectedOf(call).kind;
      const recorded = attempts[index];
      if ((kind !== 'counted' && kind !== 'free') || !recorded || recorded.error === interrupted) continue;
      const expected = chargeExpected(call, tenantOf(number));
      // On a busy machine, the gateway's own clock ends a call that its provider has just finished.
      const isCut = recorded.error !== undefined && (recorded.estimated || recorded.charge === null);
      if (recorded.charge !== expected && !isCut) {
        faults.push(`${number} ${call.model}: ${expected}, recorded ${recorded.charge}`);
      }
    }
  }
  return faults;
}

/** The status is the one that the caller saw. */
export function auditStatuses(
  records: Records,
  statuses: ReadonlyMap<number, number>,
  isBroken: (number: number) => boolean = () => false,
): readonly string[] {
  return [...records].flatMap(([number, record]) => {
    const seen = statuses.get(number);
    // The gateway may have failed just before it noticed that the caller had left.
    const hasFailedBefore = seen === 499 && record.status >= 400 && record.error !== undefined;
    if (record.status === seen || hasFailedBefore || isBroken(number)) return [];
    return [`${number}: ${record.status}, seen ${seen}`];
  });
}

/** What the limits of a scope have counted for a request: its charge, or what it held while that is unknown or only a lower bound. */
export function countedOf({ charge, attempts, holds = [] }: LedgerRecord, kind: 'tenant' | 'key'): number {
  if (charge !== null && !attempts.some(({ isFloor }) => isFloor)) return charge;
  const known = attempts.reduce((sum, attempt) => sum + (attempt.charge ?? 0), 0);
  const held = holds.filter((hold) => hold.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(known, held);
}
