/** A batch in the form of OpenAI's API. */
import type { Batch, BatchOperation, BatchProblem, BatchStatus, BatchUse } from '../../core/batches.ts';
import { operationNamed } from '../../core/operations.ts';
import { writeExtra } from './write-extra.ts';

/** In the order of OpenAI's object. */
const timed = [
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelling',
  'cancelled',
] as const satisfies readonly BatchStatus[];

export function writeBatch(batch: Batch): object {
  const { id, operation, problems, plan, status, counts, times, use } = batch;
  const { total, completed, failed } = counts;
  const models = new Set(plan.map(({ model }) => model));
  return {
    id,
    object: 'batch',
    endpoint: endpointOf(operation),
    ...(models.size === 1 && { model: [...models][0] }),
    errors: problems ? { object: 'list', data: problems.map(writeProblem) } : null,
    input_file_id: batch.inputFile,
    completion_window: '24h',
    status,
    output_file_id: batch.outputFile ?? null,
    error_file_id: batch.errorFile ?? null,
    created_at: batch.createdAt,
    expires_at: batch.expiresAt,
    ...Object.fromEntries(timed.map((name) => [`${name}_at`, times[name] ?? null])),
    request_counts: { total, completed, failed },
    metadata: batch.metadata ?? null,
    ...(use && { usage: writeUsage(use) }),
    extra: writeExtra(batch),
  };
}

export const endpointOf = (operation: BatchOperation): string => operationNamed(operation).path;

export const writeProblem = ({ code, message, line, param }: BatchProblem): object => ({
  code,
  message,
  line: line ?? null,
  param: param ?? null,
});

const writeUsage = (use: BatchUse): object => ({
  input_tokens: use.inputTokens,
  input_tokens_details: { cached_tokens: use.cachedTokens },
  output_tokens: use.outputTokens,
  output_tokens_details: { reasoning_tokens: use.reasoningTokens },
  total_tokens: use.inputTokens + use.outputTokens,
});
