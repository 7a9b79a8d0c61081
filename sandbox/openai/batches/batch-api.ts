/** The batch API of a provider of the sandbox, beside what it answers at once. */
import type { Handler, SandboxRequest, SandboxResponse } from '../../exchange.ts';
import { answerBatches, isBatchPath } from './batches.ts';
import type { BatchShape } from './shapes.ts';

export interface BatchApi {
  readonly owns: (path: string) => boolean;
  /** `live`: what answers the lines. */
  readonly answer: (request: SandboxRequest, live: Handler) => SandboxResponse;
}

export const shaped = (shape: BatchShape): BatchApi => ({
  owns: (path) => isBatchPath(path, shape),
  answer: (request, live) => answerBatches(request, shape, live),
});

/** Both, for requests that were let in. */
export const withBatches =
  (live: Handler, { owns, answer }: BatchApi): Handler =>
  (request) =>
    owns(request.path) ? answer(request, live) : live(request);
