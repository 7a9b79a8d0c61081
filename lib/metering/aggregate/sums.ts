/** What one record adds to the daily counters, and to the sums of the dashboard. */
import type { CounterKey } from '../../core/accounting/counters.ts';
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { failurePrefix, hourOf, monthOf, type Numbers, type SumKey } from '../../core/accounting/sums.ts';
import { counterKeyOf, countsOf, detailsOf } from '../cost/counts.ts';
import type { Part } from './additions.ts';

/** Characters of a user and of an error code in a sum: longer than any that a request gets. */
const maxName = 128;

export const counterPartsOf = (record: LedgerRecord): readonly Part<CounterKey>[] => [
  { key: counterKeyOf(record), counts: countsOf(record) },
];

/** With what the dashboard shows beside the counts. */
export const detailedPartsOf = (record: LedgerRecord): readonly Part<CounterKey>[] => [
  { key: counterKeyOf(record), counts: detailsOf(record) },
];

/** At most one sum for each hour, user and period, and one for each deployment that was called. */
export function sumPartsOf(record: LedgerRecord): readonly Part<SumKey>[] {
  const { at, tenant, key, model, user } = record;
  const counts = detailsOf(record);
  const day = dayOf(at);
  const hour = hourOf(at);
  return [
    { key: { of: 'hour', tenant, hour, key, model }, counts },
    ...(user ? [{ key: { of: 'user', tenant, day, user: cut(user) } as const, counts }] : []),
    ...[day, monthOf(at)].map((period) => ({
      key: { of: 'tenant', period, tenant } as const,
      counts,
      lastAt: at,
    })),
    ...[hour, day].flatMap((period) => deploymentParts(record, period, counts)),
  ];
}

/** The request counts at the deployment where it ended, and each call at its own. */
function deploymentParts(
  { provider, region, model, attempts }: LedgerRecord,
  period: string,
  counts: Numbers,
): readonly Part<SumKey>[] {
  const calls = attempts.map((attempt) => ({
    key: {
      of: 'deployment',
      period,
      provider: attempt.provider,
      region: attempt.region,
      model: attempt.model,
    } as const,
    counts: {
      attempts: 1,
      ...(attempt.error !== undefined && { [failurePrefix + cut(attempt.error)]: 1 }),
    },
    ...(attempt.error !== undefined && { lastAt: attempt.at }),
  }));
  return [...calls, { key: { of: 'deployment', period, provider, region, model }, counts }];
}

const cut = (name: string) => name.slice(0, maxName).toWellFormed();
