/** One batch, and one of its jobs, as the admin API shows them. */
import type { Batch, BatchJob, BatchUse } from '../../core/batches.ts';
import type { BatchAnswer, BatchRow } from './schema.ts';

interface Shown {
  /** Whether the user sees what providers take. */
  readonly seesCost: boolean;
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

export const toRow = (batch: Batch, shown: Shown): BatchRow => ({
  object: 'batch',
  id: batch.id,
  tenant: batch.tenant,
  key: batch.key.id,
  key_name: shown.names.get(batch.key.id) ?? null,
  contract: batch.contract,
  operation: batch.operation,
  status: batch.status,
  created_at: batch.createdAt,
  expires_at: batch.expiresAt,
  status_at: batch.times[batch.status] ?? batch.createdAt,
  counts: { ...batch.counts },
  models: [...new Set(batch.plan.map(({ model }) => model))],
  jobs: batch.jobs,
  use: useOf(batch.use, shown),
});

export const toJob = (job: BatchJob, shown: Shown): BatchAnswer['job_list'][number] => ({
  n: job.n,
  by: job.by,
  model: job.model,
  provider: job.provider,
  region: job.region,
  lines: job.lines,
  status: job.status,
  attempts: job.attempts,
  polls: job.polls,
  next_poll_at: job.status === 'submitted' ? Math.ceil(job.nextAt / 1_000) : null,
  is_cancelled: job.isCancelled === true,
  held_nano_usd: job.status === 'settled' ? null : heldOf(job),
  counts: { ...job.counts },
  use: useOf(job.use, shown),
});

/** The same in each scope; in that which allows the most, no less. */
function heldOf({ hold }: BatchJob): number | null {
  const amounts = hold?.record.holds?.map(({ amount }) => amount) ?? [];
  return amounts.length === 0 ? null : Math.max(...amounts);
}

function useOf(use: BatchUse | undefined, { seesCost }: Shown): BatchRow['use'] {
  if (!use) return null;
  return {
    input_tokens: use.inputTokens,
    cached_tokens: use.cachedTokens,
    output_tokens: use.outputTokens,
    reasoning_tokens: use.reasoningTokens,
    cost_nano_usd: use.charge,
    ...(seesCost && { provider_cost_nano_usd: use.cost }),
  };
}
