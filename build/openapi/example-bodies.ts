/** Example requests and answers of the operations. The tests send the requests and check the answers. */
import type { OperationName } from '../../lib/core/operations.ts';
import { batchesExamples } from './examples/batches.ts';
import { chatExamples } from './examples/chat.ts';
import type { Example } from './examples/example.ts';
import { filesExamples } from './examples/files.ts';
import { modelExamples } from './examples/models.ts';
import { responsesExamples } from './examples/responses.ts';
import { usageExamples } from './examples/usage.ts';

export const examples: Readonly<Record<Exclude<OperationName, 'openapi'>, Example>> = {
  ...chatExamples,
  ...responsesExamples,
  ...modelExamples,
  ...filesExamples,
  ...batchesExamples,
  ...usageExamples,
};
