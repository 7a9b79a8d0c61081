/** The Lambda handler of the function that creates responses in the background: each event names one, and nothing is answered. */
import type { Context } from 'aws-lambda';
import type { RunRef, RunResponse } from '../../core/background.ts';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import { hostOf } from './host.ts';

/** Rejects where Lambda should send the event once more. */
export const runHandler =
  (run: RunResponse, log: Pick<Log, 'warn'>) =>
  async (event: unknown, context: Context): Promise<void> => {
    try {
      // The request is in the table: the event has only its name.
      await run(readRunRef(event), hostOf(context, 0));
    } catch (error) {
      // Lambda counts it among the errors of the function.
      log.warn('background response failed', ownFailureFields(error));
      throw error;
    }
  };

function readRunRef(event: unknown): RunRef {
  const { tenant, id } = (event ?? {}) as Partial<Record<keyof RunRef, unknown>>;
  if (isName(tenant) && isName(id)) return { tenant, id };
  throw new Error('The event must name a response: {"tenant": "acme", "id": "resp_..."}.');
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
