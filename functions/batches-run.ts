/** The Lambda that works on batches. It is invoked with the name of one, or to look for those that no one works on. */
import { batchHandler } from '../lib/http/lambda/batch-handler.ts';
import { againInAws, beginOpen, invokeBatches } from '../lib/runtime/batches/batches-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { foundationOf } from '../lib/runtime/foundation.ts';
import { create as createRunBatch } from './run-batch.ts';

export const create = (variables: Variables) => {
  const foundation = foundationOf(variables);
  const run = createRunBatch(variables);
  return batchHandler({
    run: (ref, host) => run(ref, { ...host, again: againInAws(foundation, host.functionArn) }),
    look: ({ functionArn }) => beginOpen(variables, invokeBatches(foundation, functionArn)),
    log: foundation.log,
  });
};
