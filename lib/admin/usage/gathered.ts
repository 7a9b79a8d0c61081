/** What usage is answered from: groups with their numbers, and where these come from. */
import type { Numbers } from '../../core/accounting/sums.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import type { Names, Sums } from '../../metering/usage/groups.ts';
import type { UsageAnswer } from './schema.ts';

export interface GatheredUsage {
  readonly sums: Sums;
  readonly source: UsageAnswer['source'];
  /** The time from which the data is complete, in Unix milliseconds. */
  readonly completeFrom: number;
  /** From when on there are such sums, in Unix milliseconds; absent for those that were always there, and of records. */
  readonly since?: number;
  /** Where `sums` have amounts only: every number of all groups together. */
  readonly total?: Numbers;
  /** Where `sums` have amounts only: every number of some groups, in their order; undefined: there are none of that span. */
  readonly details?: (groups: readonly Names[], span: Span) => Promise<readonly Numbers[] | undefined>;
}
