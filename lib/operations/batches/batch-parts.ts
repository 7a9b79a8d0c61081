/** What the operations of batches, in either contract, work with, and how they find a batch. */
import type { Batch, BatchContract, BatchStore, NewBatch, StartBatch } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { FileStore } from '../../core/files.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { Log } from '../../core/ports/log.ts';

export interface BatchParts {
  readonly batches: BatchStore;
  readonly files: FileStore;
  /** Undefined where no worker can run. */
  readonly start: StartBatch | undefined;
  /** For how long a file is kept, in seconds, and no longer. */
  readonly fileSeconds: number;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
  /** The mode of a batch that is created without one. */
  readonly batchMode: NewBatch['mode'];
}

/** How long a batch may take, in seconds. */
export const windowSeconds = 86_400;

/** Whose batch, and in which contract it is asked for. */
interface Asked {
  readonly contract: BatchContract;
  readonly key: Pick<ApiKey, 'tenant'> | undefined;
  readonly id: string;
}

/** @throws GatewayError `not_found`, with the same message whatever the reason. */
export async function findBatch(
  { batches }: Pick<BatchParts, 'batches'>,
  { contract, key, id }: Asked,
): Promise<Batch> {
  const batch = key && (await batches.find(key.tenant, id));
  if (batch?.contract !== contract) throw batchNotFound(contract, id);
  return batch;
}

const maxShownLength = 64;

const names = { openai: 'batch', anthropic: 'message batch' } as const;

function batchNotFound(contract: BatchContract, id: string): GatewayError {
  const shown = id.length > maxShownLength ? `${id.slice(0, maxShownLength)}…` : id;
  return new GatewayError('not_found', `No ${names[contract]} was found with id '${shown}'.`);
}

/** Unix seconds. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1_000);
