/** What the operations that generate have in common. */
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { BufferedLimit } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { PipelineParts } from '../parts.ts';
import { mayBeFree } from '../use/may-be-free.ts';
import { warmUp } from '../warm-up.ts';

/** The time limit of an answer that is sent as one JSON body. */
export const bufferedGeneration: BufferedLimit = {
  share: 1,
  message: "The answer took longer than an unstreamed response may take. Set 'stream' to true.",
};

interface Asked {
  readonly model: string;
  readonly resumable?: boolean;
  readonly dryRun?: boolean;
  readonly background?: unknown;
  readonly request: { readonly stream: boolean };
}

export const generating = (parts: PipelineParts, endpoint: ModelEndpoint) => ({
  prepare: (asked: Pick<Asked, 'model' | 'dryRun'>) => warmUp(parts, asked),
  mayBeFree: mayBeFree(parts, endpoint),
  bufferedLimit: ({ request }: Asked) => (request.stream ? undefined : bufferedGeneration),
  isResumable,
});

/** @throws GatewayError where there is no stream to resume, or another way to do it. */
function isResumable({ resumable = false, dryRun = false, background, request }: Asked): boolean {
  const param = 'extra.resumable';
  if (resumable && background)
    throw invalid(param, "is not allowed with 'background': such a response is resumed by its id");
  if (resumable && !request.stream) throw invalid(param, "is only allowed when 'stream' is true");
  return resumable && !dryRun;
}

/** Of those that only count. */
export const counting = (parts: PipelineParts) => ({
  prepare: (asked: Pick<Asked, 'model'>) => warmUp(parts, asked),
  mayBeFree: async () => true,
  bufferedLimit: () => bufferedGeneration,
});
