/** Which records of the ledger a question is about. */
import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { countsOf } from '../../metering/cost/counts.ts';
import type { Scope } from '../usage/scope.ts';
import type { RequestsListQuery } from './schema.ts';

export type Filters = Pick<RequestsListQuery, 'status' | 'model' | 'key' | 'user' | 'session' | 'tag'>;

export function matching(
  { status, model, key, user, session, tag }: Filters,
  { keys }: Scope,
): (record: LedgerRecord) => boolean {
  const hasStatus = statusTest(status);
  const hasTag = tagTest(tag);
  return (record) =>
    (!keys || keys.has(record.key)) &&
    (key === undefined || record.key === key) &&
    (model === undefined || record.model === model || record.requestedModel === model) &&
    (user === undefined || record.user === user) &&
    (session === undefined || record.session === session) &&
    hasStatus(record) &&
    hasTag(record);
}

function statusTest(status: Filters['status']): (record: LedgerRecord) => boolean {
  if (status === undefined) return () => true;
  if (status === 'interrupted') return ({ error }) => error === interrupted;
  if (status === 'ok' || status === 'failed')
    return (record) => countsOf(record).failed > 0 === (status === 'failed');
  return (record) => record.status === Number(status);
}

/** `name:value`. A name may have colons too, so each of them may end it; without one, any value. */
function tagTest(tag: string | undefined): (record: LedgerRecord) => boolean {
  if (tag === undefined) return () => true;
  return ({ tags = {} }) =>
    Object.entries(tags).some(([name, value]) => name === tag || `${name}:${value}` === tag);
}
