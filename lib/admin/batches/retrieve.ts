/** One batch with its plan and jobs: `GET /admin/v1/batches/{batch_id}`. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { Batch, BatchStore } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { namesOfKeys, type Scope, type ScopeParts, scopeOf } from '../usage/scope.ts';
import { toJob, toRow } from './row.ts';
import { type BatchAnswer, batchQuery } from './schema.ts';

export interface RetrieveParts extends ScopeParts {
  readonly batches: Pick<BatchStore, 'find' | 'jobs' | 'open'>;
}

export interface Asked {
  readonly batch_id: string;
  readonly tenant?: string | undefined;
}

export const retrieveEndpoint = (parts: RetrieveParts) =>
  endpointOf(parts, batchQuery, nothing, retrieveBatch);

export async function retrieveBatch(parts: RetrieveParts, user: User, asked: Asked): Promise<BatchAnswer> {
  const scope = await scopeOf(parts, user, asked.tenant);
  const batch = await findBatch(parts, scope, asked.batch_id);
  const names = await namesOfKeys(parts, [batch.tenant]);
  const shown = { seesCost: scope.seesCost, names };
  const jobs = await parts.batches.jobs(batch);
  return {
    ...toRow(batch, shown),
    mode: batch.mode,
    input_file_id: batch.inputFile,
    output_file_id: batch.outputFile ?? null,
    error_file_id: batch.errorFile ?? null,
    problems: (batch.problems ?? []).map(({ code, line = null }) => ({ code, line })),
    plan: batch.plan.map(({ priceFactor, ...planned }) => ({ ...planned, price_factor: priceFactor })),
    job_list: jobs.map((job) => toJob(job, shown)),
  };
}

/** An operator who names no tenant finds those that have not ended. */
export async function findBatch(
  { batches }: Pick<RetrieveParts, 'batches'>,
  { tenant: known, keys }: Scope,
  id: string,
): Promise<Batch> {
  const tenant = known ?? (await batches.open()).find((ref) => ref.id === id)?.tenant;
  const batch = tenant === undefined ? undefined : await batches.find(tenant, id);
  if (batch && (!keys || keys.has(batch.key.id))) return batch;
  const message = `There is no batch '${id.slice(0, 64)}'. Name its tenant if it has ended.`;
  throw new GatewayError('not_found', message, { param: 'batch_id' });
}
