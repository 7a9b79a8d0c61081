/**
 * The Lambda handler of the function that creates responses in the background: each event names one, or an event for a webhook whose next
 * attempt is due, and nothing is answered.
 */
import type { Context } from 'aws-lambda';
import type { RunResponse, StartedRun, UpstreamResponse } from '../../core/background.ts';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import type { DeliverEvent } from '../../core/webhooks/delivery.ts';
import { hostOf } from './host.ts';

interface RunWork {
  readonly run: RunResponse;
  readonly deliver: DeliverEvent;
  readonly log: Pick<Log, 'warn'>;
}

/** Rejects where Lambda should send the event once more. */
export const runHandler =
  ({ run, deliver, log }: RunWork) =>
  async (event: unknown, context: Context): Promise<void> => {
    const { tenant, id, left, event: webhookEvent } = (event ?? {}) as NamedWork;
    const host = { ...hostOf(context, 0), functionArn: context.invokedFunctionArn };
    try {
      // All else is in the table: the event has only names.
      if (isName(tenant) && isName(id))
        await run({ tenant, id, left: isUpstream(left) ? left : undefined }, host);
      else if (isName(tenant) && isName(webhookEvent)) await deliver({ tenant, id: webhookEvent }, host);
      else throw new Error('The event must name a response: {"tenant": "acme", "id": "resp_..."}.');
    } catch (error) {
      // Lambda counts it among the errors of the function.
      log.warn('background response failed', ownFailureFields(error));
      throw error;
    }
  };

type NamedWork = Readonly<Partial<Record<keyof StartedRun | 'event', unknown>>>;

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isUpstream(value: unknown): value is UpstreamResponse {
  const { model, provider, region, id } = (value ?? {}) as Partial<Record<keyof UpstreamResponse, unknown>>;
  return [model, provider, region, id].every(isName);
}
