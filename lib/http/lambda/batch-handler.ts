/**
 * The Lambda handler of the function that works on batches: an event names one, or asks for a look at all that are open, and nothing is
 * answered.
 */
import type { Context } from 'aws-lambda';
import type { BatchRef } from '../../core/batches.ts';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';

interface BatchFunctionHost {
  readonly remainingMs: () => number;
  /** Never aborted: Lambda says nothing before it ends a process. */
  readonly signal: AbortSignal;
  /** Its own ARN, with its alias. */
  readonly functionArn: string;
}

interface BatchWork {
  readonly run: (ref: BatchRef, host: BatchFunctionHost) => Promise<void>;
  /** Begins what is open, and no one works on. */
  readonly look: (host: BatchFunctionHost) => Promise<void>;
  readonly log: Pick<Log, 'warn'>;
}

/** Rejects where Lambda should send the event once more. */
export const batchHandler =
  ({ run, look, log }: BatchWork) =>
  async (event: unknown, context: Context): Promise<void> => {
    const { tenant, batch, look: isLook } = (event ?? {}) as Readonly<Record<string, unknown>>;
    const host = {
      remainingMs: () => context.getRemainingTimeInMillis(),
      signal: new AbortController().signal,
      functionArn: context.invokedFunctionArn,
    };
    try {
      if (isLook === true) await look(host);
      else if (isName(tenant) && isName(batch)) await run({ tenant, id: batch }, host);
      else throw new Error('The event must name a batch: {"tenant": "acme", "batch": "batch_..."}.');
    } catch (error) {
      log.warn('batch worker failed', ownFailureFields(error));
      throw error;
    }
  };

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
