/** The groups that a record of the ledger is of, and whether it is asked for. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { hourOf } from '../../core/accounting/sums.ts';
import { groupsOfTags } from '../../metering/usage/groups.ts';
import type { Scope } from './scope.ts';
import type { UsageQuestion } from './usage-question.ts';

interface Filters extends Pick<UsageQuestion, 'model' | 'key' | 'user'> {
  readonly keys?: Scope['keys'] | undefined;
}

export const isAsked = (record: LedgerRecord, { model, key, user, keys }: Filters): boolean =>
  (!keys || keys.has(record.key)) &&
  (model === undefined || record.model === model) &&
  (key === undefined || record.key === key) &&
  (user === undefined || record.user === user);

export const groupOf = ({
  at,
  tenant,
  key,
  model,
  provider,
  user,
  session,
  tags,
}: LedgerRecord): Readonly<Record<string, string>> => ({
  ...groupsOfTags(tags),
  hour: hourOf(at),
  day: dayOf(at),
  tenant,
  key,
  model,
  provider,
  ...(user && { user }),
  ...(session && { session }),
});
