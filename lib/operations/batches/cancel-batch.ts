/** Cancels a batch of either contract. */
import { type Batch, endedStatuses } from '../../core/batches.ts';
import { type BatchParts, findBatch, secondsOf } from './batch-parts.ts';
import { startSoon } from './begin-batch.ts';

type Asked = Parameters<typeof findBatch>[1];

export const hasEnded = ({ status }: Pick<Batch, 'status'>): boolean => endedStatuses.includes(status);

/**
 * Again where a worker wrote between the look and the change. Cancelled twice, it is as it was. The batch as it is where it has ended
 * otherwise.
 */
export async function cancelBatch(parts: BatchParts, asked: Asked): Promise<Batch> {
  for (;;) {
    const batch = await findBatch(parts, asked);
    if (batch.status === 'cancelling' || hasEnded(batch)) return batch;
    const at = parts.now();
    const times = { ...batch.times, cancelling: secondsOf(at) };
    const cancelled = await parts.batches.change(batch, { status: 'cancelling', times, nextAt: at });
    if (!cancelled) continue;
    await startSoon(parts, batch);
    return cancelled;
  }
}
