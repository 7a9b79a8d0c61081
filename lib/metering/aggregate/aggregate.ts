/**
 * The aggregator: what follows from changes of the ledger. It adds up the daily sums, settles limits and frees what crashes have leaked
 * in them, raises alerts, finishes interrupted requests, and allocates use to grants of credit. Every step may be repeated, so a batch
 * that failed in the middle is simply processed again.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { withTimeout } from '../../async/with-timeout.ts';
import type { LedgerChange, StreamBatch } from '../../core/accounting/journal.ts';
import type { LimitScope, LimitStore, TenantScope } from '../../core/accounting/limits.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import { AwsError } from '../../core/ports/aws.ts';
import { DamagedItem } from '../../core/ports/damaged-item.ts';
import type { Log } from '../../core/ports/log.ts';
import type { AggregateStore, CountedChange } from '../../core/ports/usage-store.ts';
import type { FollowCredit } from '../credit/follow-credit.ts';
import type { RepairLimits } from '../leaked/repair-limits.ts';
import { settlementsOf } from './settlements.ts';
import { type Addition, additionsOf, counterPartsOf, detailedPartsOf, sumPartsOf } from './sums.ts';
import { createSweep } from './sweep.ts';

interface AggregateOptions {
  readonly store: AggregateStore;
  readonly limits: Pick<LimitStore, 'settle'>;
  /** Never rejects. */
  readonly raiseAlerts?: (scopes: readonly TenantScope[]) => Promise<void>;
  /** What the calls of providers in the sums lead to. */
  readonly watchProviders?: () => Promise<void>;
  readonly followCredit?: FollowCredit;
  readonly repairLimits?: RepairLimits;
  /** Whether the sums of the dashboard are kept. */
  readonly keepsSums?: boolean;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Processes the changes of one batch of a shard of the stream, in order; without any, what is due by itself. Rejects if something is
 * still to be done.
 */
export type Aggregate = (shard: string, changes: readonly LedgerChange[]) => Promise<void>;

const parallelWrites = 16;

/** Then alerts go on beside the next batch: a webhook that hangs must not keep the sums and limits of all tenants waiting. */
const alertsMs = 3_000;

export function createAggregate(options: AggregateOptions): Aggregate {
  const { store, followCredit, now, log, keepsSums = false } = options;
  const sweep = createSweep({ store, now });
  const note = noteOnce(store, keepsSums);
  const addAll = <Key>(additions: readonly Addition<Key>[], add: AddTo<Key>, batch: StreamBatch) =>
    mapConcurrently(additions, parallelWrites, ({ key, changes }) =>
      unlessDamaged(() => add(key, changes, batch), changes.length, log),
    );
  const aggregate = async (batch: StreamBatch, changes: readonly LedgerChange[]) => {
    const { shard } = batch;
    await note();
    const partsOf = keepsSums ? detailedPartsOf : counterPartsOf;
    await addAll(additionsOf(changes, partsOf), store.addToCounter, batch);
    const settled = await settle(shard, changes, options);
    await sweep.note(changes);
    const tenants = new Set(changes.flatMap(({ before, after }) => (after ?? before)?.record.tenant ?? []));
    for (const tenant of tenants) {
      // What is not found now is found by the next look.
      await sweep.tenant(tenant).catch((error: unknown) => log.warn('sweep failed', failureFields(error)));
      await followCredit?.(tenant).catch((error: unknown) =>
        log.warn('credit settlement failed', failureFields(error)),
      );
    }
    await sweep.all().catch((error: unknown) => log.warn('sweep failed', failureFields(error)));
    await options.repairLimits?.(settled);
    // Last: limits and credit do not wait for what is only looked at.
    if (keepsSums) await addAll(additionsOf(changes, sumPartsOf), store.addToSum, batch);
  };
  return async (shard, changes) => {
    const batch = { shard, now: now() };
    try {
      await aggregate(batch, changes);
      const last = changes.at(-1);
      if (!keepsSums) return;
      if (last) await store.notePosition(batch, last.at);
      const watched = options.watchProviders?.().catch((error: unknown) => {
        log.warn('providers not watched', failureFields(error));
      });
      if (watched) await withTimeout(watched, alertsMs, () => undefined);
    } catch (error) {
      // The dashboard says as of when the sums are. Where this fails too, nothing of later batches is counted either.
      if (keepsSums) await store.noteFailedBatch(batch).catch(() => undefined);
      throw error;
    }
  };
}

type AddTo<Key> = (key: Key, changes: readonly CountedChange[], batch: StreamBatch) => Promise<void>;

/** Once in a process, before its first batch: which changes the sums of the dashboard have is known from it. */
function noteOnce(store: AggregateStore, keepsSums: boolean): () => Promise<void> {
  let isNoted = false;
  return async () => {
    if (!isNoted) await store.noteSums(keepsSums);
    isNoted = true;
  };
}

async function settle(
  shard: string,
  changes: readonly LedgerChange[],
  { limits, raiseAlerts, log }: AggregateOptions,
): Promise<readonly TenantScope[]> {
  const settlements = settlementsOf(changes);
  if (settlements.length === 0) return [];
  const byScope = [...Map.groupBy(settlements, ({ hold }) => nameOfScope(hold)).values()];
  const found = await mapConcurrently(byScope, parallelWrites, (of) =>
    unlessDamaged(() => limits.settle(shard, of), of.length, log),
  );
  const tenants = new Map(settlements.map(({ hold, tenant }) => [nameOfScope(hold), tenant]));
  const settled = found
    .flatMap((scopes) => scopes ?? [])
    .map((one) => ({ ...one, tenant: tenants.get(nameOfScope(one.scope)) ?? '' }));
  const alerts = raiseAlerts?.(settled);
  if (alerts) await withTimeout(alerts, alertsMs, () => undefined);
  return settled;
}

/**
 * An item that is damaged takes no change however often it comes again, and would keep the changes of all others waiting: they go
 * on without it, and an operator finds it in the log. `count`: the changes that it lacks.
 */
async function unlessDamaged<Result>(
  work: () => Promise<Result>,
  count: number,
  log: Log,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const isDamaged = error instanceof DamagedItem || (error instanceof AwsError && error.type === invalid);
    if (!isDamaged) throw error;
    log.error('ledger items unreadable', { count, ...failureFields(error) });
    return undefined;
  }
}

/** How DynamoDB refuses to add to what is no number, or to an item that is too big. Source: DynamoDB API, CommonErrors. */
const invalid = 'ValidationException';

const nameOfScope = ({ kind, id }: LimitScope) => `${kind}#${id}`;
