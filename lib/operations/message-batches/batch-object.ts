/** A batch in the form of Anthropic's API. */
import type { Batch } from '../../core/batches.ts';
import { writeProblem } from '../batches/batch-object.ts';
import { hasEnded } from '../batches/cancel-batch.ts';
import { writeExtra } from '../batches/write-extra.ts';

/** `base`: the base URL of the gateway for this caller, without the version. Clients take the results from where the batch says. */
export function writeMessageBatch(batch: Batch, base: string): object {
  const { id, status, times, problems } = batch;
  const isOver = hasEnded(batch);
  return {
    id,
    type: 'message_batch',
    processing_status: isOver ? 'ended' : status === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: isOver
      ? endCounts(batch)
      : { ...none, processing: batch.counts.total || (batch.lines ?? 1) },
    created_at: timeOf(batch.createdAt),
    expires_at: timeOf(batch.expiresAt),
    ended_at: isOver ? timeOf(times[status]) : null,
    cancel_initiated_at: timeOf(times.cancelling),
    archived_at: null,
    results_url: isOver ? `${base}/v1/messages/batches/${id}/results` : null,
    extra: {
      ...writeExtra(batch),
      output_file_id: batch.outputFile ?? null,
      error_file_id: batch.errorFile ?? null,
      ...(problems && { errors: problems.map(writeProblem) }),
    },
  };
}

const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

/** Their sum is the number of requests: those of a file that could not be read as requests have failed. */
function endCounts({ counts, lines }: Batch): typeof none {
  const { completed, cancelled, expired } = counts;
  const total = counts.total || (lines ?? 0);
  const errored = Math.max(counts.failed, total - completed - cancelled - expired);
  return { ...none, succeeded: completed, errored, canceled: cancelled, expired };
}

/** In RFC 3339, as Anthropic writes it. */
const timeOf = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
