/** Embeddings: `POST /v1/embeddings`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { checkAllowed } from '../../pipeline/check-allowed.ts';
import type { Embedded } from '../../pipeline/embeddings/call-embeddings.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { chargeSoFar, costInUsage } from '../charge-so-far.ts';
import { writeDebug } from '../debug.ts';
import { checkLength, mustCount } from './length.ts';
import { type EmbeddingsInput, readEmbeddings } from './read.ts';
import { embeddingsSchema } from './schema.ts';
import { embeddingsTask, type PreparedEmbeddings } from './task.ts';
import { writeEmbeddings } from './write.ts';

export function embeddingsEndpoint(parts: PipelineParts): Endpoint<typeof embeddingsSchema, EmbeddingsInput> {
  return {
    schema: embeddingsSchema,
    read: readEmbeddings,
    prepare: ({ model }) => warmUp(parts, model),
    isCostly: ({ request }) => mustCount(request),
    mayBeFree: mayBeFree(parts, 'embeddings'),
    async answer(call) {
      if (mustCount(call.input.request)) await checkAllowed(parts, call.input, call);
      await checkLength(call.input.request, call.signal);
      const first = await runTargets(parts, embeddingsTask(parts, call.input), call);
      parts.health.succeeded(first.target);
      return write(call, first);
    },
  };
}

function write(
  call: Call<EmbeddingsInput>,
  { target, attempts, answer, ...first }: TargetAnswer<PreparedEmbeddings, Embedded>,
): Answer {
  const { input, facts } = call;
  const { vectors, promptTokens, sandbox } = answer;
  const changes = [...first.changes, ...first.prepared.changes];
  facts.normalizations = changes.length;
  const deprecations = modelDeprecations(target.model);
  const debug = writeDebug(input.debug, { changes, deprecations, attempts, cost: () => chargeSoFar(call) });
  const cost = costInUsage(call);
  const { encoding } = input;
  const text = writeEmbeddings(vectors, { model: first.requestedId, promptTokens, encoding, cost, debug });
  return { type: 'large-json', headers: gatewayHeaders({ changes, sandbox }), text };
}
