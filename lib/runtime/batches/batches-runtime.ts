/**
 * Batches, and where their workers run. In AWS that is a function of their own, which a schedule invokes when there is more to do; a
 * server has timers. What no one works on, because a process has ended, is begun again: in AWS each hour, and by a server each minute, since
 * its timers end with it.
 */
import { lazy, lazyFor } from '../../async/lazy.ts';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { RunBatch } from '../../batches/run.ts';
import { type BatchRef, type BatchStore, endedStatuses, type StartBatch } from '../../core/batches.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import { serverBusy } from '../../core/ports/memory.ts';
import { minuteMs } from '../../core/time.ts';
import { createBatchStore } from '../../stores/batches/batches.ts';
import { runsHere } from '../background-runtime.ts';
import type { Variables } from '../environment.ts';
import { type Foundation, foundationOf } from '../foundation.ts';

/** Loads the worker of an environment. */
type LoadRunBatch = () => Promise<{ create(variables: Variables): RunBatch }>;

interface BatchesRuntime {
  readonly batches: BatchStore;
}

export const batchesRuntime = lazyFor((variables: Variables): BatchesRuntime => {
  const { table, now } = foundationOf(variables);
  return { batches: createBatchStore({ ...table('files'), now }) };
});

/** Begins the next worker of a batch at a time, in Unix milliseconds. */
type BeginAgain = (ref: BatchRef, at: number) => Promise<void>;

/** A schedule has whole minutes in which it may be late: what is due sooner is begun at once, and waits. */
const minScheduleMs = 30_000;

/** By an event for a function, by its name or ARN. */
export function invokeBatches(foundation: Foundation, functionName: string): StartBatch {
  const invoke = lazy(async () => {
    const { createInvokeLater } = await import('../../transport/aws/invoke-later.ts');
    const { sendForText, sign, environment, endpointOf } = foundation;
    const { AWS_REGION: region } = environment;
    return createInvokeLater({ sendForText, sign, region, endpoint: endpointOf('lambda'), functionName });
  });
  return async ({ tenant, id }) => await (await invoke())({ tenant, batch: id });
}

/** Of the function of workers, by its own ARN. */
export function againInAws(foundation: Foundation, functionArn: string): BeginAgain {
  const { sendForText, sign, endpointOf, environment, now } = foundation;
  const { GATEWAY_SCHEDULE_GROUP: group = '', GATEWAY_SCHEDULE_ROLE: roleArn = '' } = environment;
  const start = invokeBatches(foundation, functionArn);
  const schedule = lazy(async () => {
    const { createCreateSchedule } = await import('../../transport/aws/create-schedule.ts');
    const { AWS_REGION: region } = environment;
    const endpoint = endpointOf('scheduler');
    return createCreateSchedule({ sendForText, sign, region, endpoint, group, roleArn });
  });
  return async (ref, at) => {
    if (at - now() < minScheduleMs) return await start(ref);
    const name = `${ref.id}-${Math.ceil(at / 1_000)}`;
    const event = { tenant: ref.tenant, batch: ref.id };
    await (await schedule())({ name, at, functionArn, event });
  };
}

/** In this process, of which a worker takes part of each second. */
function startHere(variables: Variables, load: LoadRunBatch): StartBatch {
  const { log, now } = foundationOf(variables);
  const tasks = runsHere(variables);
  const start: StartBatch = async (ref) => {
    const { create } = await load();
    const run = create(variables);
    const isStarted = tasks.start(async (signal) => {
      const host = { remainingMs: () => Number.POSITIVE_INFINITY, signal, again };
      await run(ref, host).catch((cause) => log.error('batch not begun', failureFields(cause)));
    });
    if (!isStarted) throw serverBusy();
  };
  const again: BeginAgain = async (ref, at) => {
    const begin = () => start(ref).catch((cause) => log.warn('batch not begun again', failureFields(cause)));
    setTimeout(begin, Math.max(0, at - now())).unref();
  };
  return start;
}

/** Where batches are worked on; undefined where no worker can run. */
export function startBatchOf(variables: Variables, load: LoadRunBatch): StartBatch | undefined {
  const foundation = foundationOf(variables);
  const { GATEWAY_BATCHES_FUNCTION: functionName } = foundation.environment;
  if (functionName !== undefined) return invokeBatches(foundation, functionName);
  return variables.AWS_LAMBDA_FUNCTION_NAME === undefined ? startHere(variables, load) : undefined;
}

/** Batches that are begun at a time. */
const begunAtOnce = 10;

/** Begins what is open, due and without a worker. */
export async function beginOpen(variables: Variables, start: StartBatch): Promise<void> {
  const { log, now } = foundationOf(variables);
  const { batches } = batchesRuntime(variables);
  await mapConcurrently(await batches.open(), begunAtOnce, async (ref) => {
    try {
      const batch = await batches.find(ref.tenant, ref.id);
      if (!batch) return;
      const isEnded = endedStatuses.includes(batch.status);
      const hasWorker = !isEnded && batch.lease !== undefined && batch.lease.until > now();
      if (!hasWorker && (isEnded || batch.nextAt <= now())) await start(ref);
    } catch (cause) {
      log.warn('batch not begun again', { tenant: ref.tenant, batch: ref.id, ...failureFields(cause) });
    }
  });
}

/**
 * Of a server that starts: takes up what other processes, which may have ended, left. It looks again each minute: a worker that has ended
 * has its batch until its lease is over, and what is due later has no timer any more.
 */
export async function resumeBatches(variables: Variables, start: StartBatch): Promise<void> {
  const { log } = foundationOf(variables);
  const look = async () => {
    await beginOpen(variables, start).catch((cause) =>
      log.warn('open batches not read', failureFields(cause)),
    );
  };
  setInterval(look, minuteMs).unref();
  await look();
}
