/** A batch with a job at a provider, a file beside it, as a worker leaves them. */
import type { Batch, BatchCounts, BatchUse } from '../../../lib/core/batches.ts';
import { timedId } from '../../../lib/core/names/new-id.ts';
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { createBatchStore } from '../../../lib/stores/batches/batches.ts';
import { createFileStore } from '../../../lib/stores/files/file-store.ts';
import { noBytes } from '../../../lib/stores/files/no-bytes.ts';

interface Owned {
  readonly tenant: string;
  /** The id of the key. */
  readonly key: string;
}

export const storedCounts: BatchCounts = { total: 3, completed: 1, failed: 1, cancelled: 0, expired: 0 };

export const storedUse: BatchUse = {
  ...{ inputTokens: 10, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 },
  ...{ cost: 40, charge: 50 },
};

const target = { model: 'acme/large', provider: 'openai', region: 'global', lines: 3 };

/** Resolves with its id. */
export async function storeBatch(
  call: AwsCall,
  { tenant, key }: Owned,
  { contract = 'openai', ...changes }: Partial<Batch> = {},
): Promise<string> {
  const batches = createBatchStore({ call, table: 'files', now: Date.now });
  const at = Date.now();
  const createdAt = Math.floor(at / 1_000);
  const id = timedId(contract === 'openai' ? 'batch_' : 'msgbatch_', at);
  await batches.create({
    ...{ tenant, id, contract, operation: 'chat-completions', key: { id: key, tenant, hash: 'a-hash' } },
    ...{ inputFile: 'file-1', input: [], headers: {}, mode: 'native' },
    ...{ outputSeconds: 86_400, createdAt, expiresAt: createdAt + 86_400 },
  });
  const batch = await batches.find(tenant, id);
  if (!batch) throw new Error('The batch was not stored.');
  const plan = [{ ...target, by: 'native', priceFactor: 0.5 } as const];
  await batches.change(batch, { status: 'in_progress', counts: storedCounts, plan, jobs: 1, ...changes });
  await batches.putJob(batch, {
    ...{ ...target, n: 0, by: 'openai', firstLine: 0, status: 'submitted', parts: {} },
    ...{ attempts: 1, answered: 0, sending: 3, polls: 2, nextAt: 1_800_000_000_000, counts: storedCounts },
  });
  return id;
}

/** Resolves with its id. It has no bytes. */
export async function storeFile(call: AwsCall, { tenant, key }: Owned): Promise<string> {
  const files = createFileStore({ call, table: 'files', bytes: noBytes, now: Date.now });
  const at = Date.now();
  const createdAt = Math.floor(at / 1_000);
  const id = timedId('file-', at);
  const file = { tenant, key, filename: 'lines.jsonl', purpose: 'batch', bytes: 12, parts: [] } as const;
  await files.put({ ...file, id, createdAt, expiresAt: createdAt + 3_600 });
  return id;
}
