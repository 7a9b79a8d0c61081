/** Cancels a batch: `POST /admin/v1/batches/{batch_id}/cancel`. Its worker ends what providers have of it, and keeps what they have answered. */
import type { User } from '../../core/admin/user.ts';
import { type Batch, type BatchStore, endedStatuses, type StartBatch } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type Scope, scopeOf } from '../usage/scope.ts';
import { type Asked, findBatch, type RetrieveParts } from './retrieve.ts';
import { type BatchesCancelAnswer, batchesCancelInput, batchPath } from './schema.ts';

interface CancelParts extends RetrieveParts, AuditParts {
  readonly batches: Pick<BatchStore, 'change' | 'find' | 'jobs' | 'open'>;
  /** Absent: the worker finds it the next time that it is due. */
  readonly start?: StartBatch | undefined;
}

export const cancelEndpoint = (parts: CancelParts) =>
  endpointOf(parts, batchPath, batchesCancelInput, cancelBatch);

export async function cancelBatch(
  parts: CancelParts,
  user: User,
  asked: Asked,
): Promise<BatchesCancelAnswer> {
  const scope = await scopeOf(parts, user, asked.tenant);
  const { id, tenant, status } = await cancel(parts, scope, asked.batch_id);
  const after = { status: 'cancelling' as const };
  await recordChange(parts, user, 'batches.cancel', { tenant, target: id, before: { status }, after });
  await parts.start?.({ tenant, id }).catch(() => {});
  return { object: 'batch', id, tenant, ...after };
}

/** Resolves with what it was. Again where its worker has written between the look and the change. */
async function cancel(parts: CancelParts, scope: Scope, id: string): Promise<Batch> {
  for (;;) {
    const batch = await findBatch(parts, scope, id);
    if (endedStatuses.includes(batch.status)) throw hasEnded(batch);
    if (batch.status === 'cancelling') return batch;
    const at = parts.now();
    const times = { ...batch.times, cancelling: Math.floor(at / 1_000) };
    if (await parts.batches.change(batch, { status: 'cancelling', times, nextAt: at })) return batch;
  }
}

const hasEnded = ({ id, status }: Batch) =>
  new GatewayError('invalid_request', `The batch '${id}' cannot be cancelled: it is ${status}.`, {
    param: 'batch_id',
  });
