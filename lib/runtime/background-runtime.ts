/** Where the workers of background responses run, and what is kept of them. */
import { lazy, lazyFor } from '../async/lazy.ts';
import { retry } from '../async/retry.ts';
import { createTasks } from '../async/tasks.ts';
import { unbegunOf } from '../core/accounting/interrupted.ts';
import type { BackgroundStore, RunHold, RunHost, RunResponse, StartRun } from '../core/background.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import { newId } from '../core/names/new-id.ts';
import { newRequestId } from '../core/names/request-id.ts';
import { operationNamed } from '../core/operations.ts';
import { type RequestMemory, serverBusy } from '../core/ports/memory.ts';
import type { ResponseStore } from '../core/stored-response.ts';
import { createBackgroundStore } from '../stores/responses/background.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';

/** Loads the worker of an environment. */
type LoadRunResponse = () => Promise<{ create(variables: Variables): RunResponse }>;

interface StoredBackground {
  readonly runs: BackgroundStore;
  /** As `BackgroundParts.release`. */
  readonly release: (hold: RunHold) => Promise<void>;
  readonly now: () => number;
}

export interface BackgroundRuntime extends StoredBackground {
  readonly responses: ResponseStore;
}

export const storedBackground = lazyFor((variables: Variables): StoredBackground => {
  const { environment, log, now, table } = foundationOf(variables);
  // Nearly every response begins.
  const usage = lazy(async () => {
    const { createUsageStore } = await import('../stores/usage/usage.ts');
    return createUsageStore({ ...table('usage'), now, ledgerDays: environment.GATEWAY_LEDGER_DAYS });
  });
  return {
    now,
    runs: createBackgroundStore({ ...table('state'), now }),
    async release({ record, partitions }) {
      try {
        const store = await usage();
        const write = newId('write_');
        await retry(() => store.record(unbegunOf(record), write, partitions), { pausesMs });
      } catch (cause) {
        log.warn('reservation not released', { request_id: record.requestId, ...failureFields(cause) });
      }
    },
  };
});

/** The pauses between attempts to give back what was reserved. */
const pausesMs = [50, 200, 600];

/** Workers of one process at a time. */
const maxRunning = 256;

/** The workers of this process, for which its server waits when it stops. */
export const runsHere = lazyFor((_: Variables) => createTasks(maxRunning));

/** What the requests of a process share. */
interface SharedMemory {
  open(): RequestMemory & { release(): void };
}

const shared = new WeakMap<Variables, SharedMemory>();

/** Of a server: its workers take of the memory that its requests have. */
export function shareMemory(variables: Variables, memory: SharedMemory): void {
  shared.set(variables, memory);
}

/** By an event for a function of their own. */
function invoking(variables: Variables, functionName: string): StartRun {
  const invoke = lazy(async () => {
    const { createInvokeBackground } = await import('./invoke-background.ts');
    return createInvokeBackground(foundationOf(variables), functionName);
  });
  return async (ref) => (await invoke())(ref);
}

/**
 * The next worker of a run, started by the one before: in Lambda by an event for its own function. Lambda stops loops that carry its
 * trace header, which these events do not have. Source: docs.aws.amazon.com Lambda, "Use Lambda recursive loop detection".
 */
export const startNextOf = (
  variables: Variables,
  { functionArn }: Pick<RunHost, 'functionArn'>,
  load: LoadRunResponse,
): StartRun | undefined =>
  functionArn === undefined ? startRunOf(variables, load) : invoking(variables, functionArn);

/** In a function of their own, where there is one. Undefined where no worker can run: a process of Lambda stands still between its requests. */
export function startRunOf(variables: Variables, load: LoadRunResponse): StartRun | undefined {
  const foundation = foundationOf(variables);
  const { GATEWAY_BACKGROUND_FUNCTION: functionName } = foundation.environment;
  if (functionName !== undefined) return invoking(variables, functionName);
  if (variables.AWS_LAMBDA_FUNCTION_NAME !== undefined) return undefined;
  const tasks = runsHere(variables);
  const { timeoutSeconds } = operationNamed('responses');
  return async (ref) => {
    const { create } = await load();
    const run = create(variables);
    const deadline = Date.now() + timeoutSeconds * 1_000;
    const remainingMs = () => deadline - Date.now();
    const isStarted = tasks.start(async (signal) => {
      const requestId = newRequestId(Date.now());
      const memory = shared.get(variables)?.open();
      await run(ref, { requestId, remainingMs, signal, memory }).catch((cause) =>
        foundation.log.error('background response not begun', failureFields(cause)),
      );
      memory?.release();
    });
    if (!isStarted) throw serverBusy();
  };
}
