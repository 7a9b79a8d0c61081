/** The parts of the function that creates batches, reads and cancels them. */
import { lazyFor } from '../async/lazy.ts';
import type { BatchStore, NewBatch } from '../core/batches.ts';
import type { ClaimAnswer } from '../core/ports/kept-answers.ts';
import { batchesRuntime } from './batches/batches-runtime.ts';
import { claimAnswerOf } from './claim-answer.ts';
import type { Variables } from './environment.ts';
import { type FilesRuntime, filesRuntime } from './files-runtime.ts';
import { foundationOf } from './foundation.ts';

interface BatchOperationsRuntime extends FilesRuntime {
  readonly batches: BatchStore;
  readonly batchMode: NewBatch['mode'];
  readonly claimAnswer: ClaimAnswer;
  /** With the version. */
  readonly baseUrl: string | undefined;
}

export const batchOperationsRuntime = lazyFor((variables: Variables): BatchOperationsRuntime => {
  const foundation = foundationOf(variables);
  const { environment } = foundation;
  return {
    ...filesRuntime(variables),
    ...batchesRuntime(variables),
    batchMode: environment.GATEWAY_BATCH_MODE ?? 'native',
    claimAnswer: claimAnswerOf(foundation),
    baseUrl: environment.GATEWAY_BASE_URL,
  };
});
