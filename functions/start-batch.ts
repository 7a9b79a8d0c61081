/** Begins batches: their worker is loaded with the first one that runs here. */
import type { StartBatch } from '../lib/core/batches.ts';
import { resumeBatches, startBatchOf } from '../lib/runtime/batches/batches-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';

/** Undefined where no worker can run. */
export const startBatch = (variables: Variables): StartBatch | undefined =>
  startBatchOf(variables, () => import('./run-batch.ts'));

/** Of a server that starts: takes up the batches that other processes, which may have ended, left. */
export async function resumeOpenBatches(variables: Variables): Promise<void> {
  const start = startBatch(variables);
  if (start && variables.FILES_TABLE !== undefined) await resumeBatches(variables, start);
}
