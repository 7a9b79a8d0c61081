/** The worker of batches. */

import { lazyFor } from '../lib/async/lazy.ts';
import { createRunBatch } from '../lib/batches/run.ts';
import { workerParts } from '../lib/runtime/batches/worker-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { createAnswerLines } from './answer-lines.ts';

export const create = lazyFor((variables: Variables) =>
  createRunBatch({ ...workerParts(variables), lines: createAnswerLines(variables) }),
);
