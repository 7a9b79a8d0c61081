/** Begins a batch of either contract: creates it, and has a worker begin with it. */
import {
  type Batch,
  type BatchOperation,
  maxOpenBatches,
  maxQueuedLines,
  type NewBatch,
} from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { StoredFile } from '../../core/files.ts';
import { operationNamed } from '../../core/operations.ts';
import type { ApiKey, FoundApiKey } from '../../core/ports/api-keys.ts';
import { allowsOperation } from '../../core/tenancy.ts';
import { type BatchParts, secondsOf, windowSeconds } from './batch-parts.ts';

/** What both contracts say of a batch when it is created. */
export type AskedBatch = Pick<
  NewBatch,
  'contract' | 'operation' | 'lines' | 'metadata' | 'headers' | 'dryRun'
> & {
  readonly mode: NewBatch['mode'] | undefined;
  /** As long as files are kept, if absent. */
  readonly outputSeconds?: number | undefined;
};

interface Beginning {
  readonly id: string;
  readonly key: FoundApiKey;
  readonly asked: AskedBatch;
  readonly input: Pick<StoredFile, 'id' | 'parts'>;
}

export async function beginBatch(parts: BatchParts, { id, key, asked, input }: Beginning): Promise<Batch> {
  const { batches, now, batchMode, fileSeconds } = parts;
  const { mode = batchMode, outputSeconds = fileSeconds, ...facts } = asked;
  const createdAt = secondsOf(now());
  const batch: NewBatch = {
    ...facts,
    tenant: key.tenant,
    id,
    key,
    mode,
    outputSeconds: Math.min(outputSeconds, fileSeconds),
    inputFile: input.id,
    input: input.parts,
    createdAt,
    expiresAt: createdAt + windowSeconds,
  };
  await batches.create(batch);
  await startSoon(parts, batch);
  const created = await batches.find(key.tenant, id);
  if (!created) throw new GatewayError('internal', 'The batch was not found after it was created.');
  return created;
}

/** One that no worker begins with now is begun within the hour: it is no failure of the request. */
export async function startSoon({ start, log }: BatchParts, { tenant, id }: NewBatch): Promise<void> {
  await start?.({ tenant, id }).catch((cause) =>
    log.warn('batch not started', { tenant, batch: id, ...failureFields(cause) }),
  );
}

/** Refuses what the tenant or the key may not have, before anything is stored. */
export async function checkMayBegin(
  { batches, start }: Pick<BatchParts, 'batches' | 'start'>,
  key: ApiKey,
  operation: BatchOperation,
): Promise<void> {
  if (!start) throw new GatewayError('unsupported_operation', 'This gateway has no worker for batches.');
  checkOperation(key, operation);
  const open = await batches.open(key.tenant);
  if (open.length >= maxOpenBatches)
    throw tooMany(`has ${open.length} batches that have not ended, and may have at most ${maxOpenBatches}`);
  const found = await Promise.all(open.map(({ tenant, id }) => batches.find(tenant, id)));
  const queued = found.reduce((sum, batch) => sum + (batch ? queuedLines(batch) : 0), 0);
  if (queued >= maxQueuedLines)
    throw tooMany(`has batches with ${queued} lines that wait for their answers, and ${maxQueuedLines} may`);
}

const queuedLines = ({ lines = 0, counts }: Batch): number =>
  (counts.total || lines) - counts.completed - counts.failed - counts.cancelled - counts.expired;

const tooMany = (problem: string): GatewayError =>
  new GatewayError('rate_limited', `The tenant ${problem}. Wait until one ends, or cancel one.`, {
    retryAfterMs: 60_000,
  });

function checkOperation({ keyPolicy = {}, tenantPolicy = {} }: ApiKey, name: BatchOperation): void {
  if (allowsOperation(keyPolicy, name) && allowsOperation(tenantPolicy, name)) return;
  const { method, path } = operationNamed(name);
  throw new GatewayError('permission_denied', `This API key has no permission for ${method} ${path}.`, {
    code: 'operation_not_allowed',
  });
}
