/** Cancels a response that is created in the background: `POST /admin/v1/requests/{request_id}/cancel`. */
import type { User } from '../../core/admin/user.ts';
import type { BackgroundStore, Run, RunHold, RunRef } from '../../core/background.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type ScopeParts, scopeOf } from '../usage/scope.ts';
import { findItem, notFound } from './retrieve.ts';
import { isRunning } from './running.ts';
import { type RequestsCancelAnswer, requestPath, requestsCancelInput } from './schema.ts';

interface CancelParts extends ScopeParts, AuditParts {
  readonly usage: Parameters<typeof findItem>[0]['usage'];
  readonly sums: Parameters<typeof findItem>[0]['sums'];
  readonly runs: Pick<BackgroundStore, 'find' | 'cancel'>;
  /** As `BackgroundParts.release`. */
  readonly release: (hold: RunHold) => Promise<void>;
}

export const cancelEndpoint = (parts: CancelParts) =>
  endpointOf(parts, requestPath, requestsCancelInput, cancelRequest);

export async function cancelRequest(
  parts: CancelParts,
  user: User,
  { request_id: id, tenant: asked }: { readonly request_id: string; readonly tenant?: string | undefined },
): Promise<RequestsCancelAnswer> {
  const scope = await scopeOf(parts, user, asked);
  const item = await findItem(parts, scope, id);
  if (!item || (scope.keys && !scope.keys.has(item.record.key))) throw notFound(id);
  const { tenant, response } = item.record;
  const run = response === undefined ? undefined : await cancel(parts.runs, { tenant, id: response });
  if (response === undefined || !run) throw notRunning(id);
  // What a provider goes on with may cost something.
  if (run.status === 'queued' && run.hold && !run.upstream) await parts.release(run.hold);
  const before = { status: run.status };
  const after = { status: 'cancelled' as const };
  await recordChange(parts, user, 'requests.cancel', { tenant, target: id, before, after });
  return { object: 'request', id, response, tenant, ...after };
}

/** Resolves with what it was; undefined where it has ended. Again where a worker began between the look and the change. */
async function cancel(runs: CancelParts['runs'], ref: RunRef): Promise<Run | undefined> {
  for (;;) {
    const run = await runs.find(ref);
    if (!run || !isRunning(run)) return undefined;
    if (await runs.cancel(run)) return run;
  }
}

const notRunning = (id: string) =>
  new GatewayError(
    'invalid_request',
    `The request '${id.slice(0, 64)}' cannot be cancelled: its response has ended, or is not created in the background.`,
    { param: 'request_id' },
  );
