/** Embeddings: `POST /v1/embeddings`. */

import type { Finished } from '../../async/map-concurrently.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Target } from '../../core/model.ts';
import type { EmbeddedBatch } from '../../pipeline/embed.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { writeDebug } from '../debug.ts';
import { ofEach, prepare, type Routed, type RouteParts, route } from '../route.ts';
import { askTarget, checkTarget, dimensionsOf, type EmbeddedForTarget } from './ask-target.ts';
import { checkLength } from './length.ts';
import { type EmbeddingsInput, readEmbeddings } from './read.ts';
import { embeddingsSchema } from './schema.ts';
import { writeEmbeddings } from './write.ts';

export function embeddingsEndpoint(parts: RouteParts): Endpoint<typeof embeddingsSchema, EmbeddingsInput> {
  return {
    schema: embeddingsSchema,
    read: readEmbeddings,
    prepare: (input) => prepare(parts, input),
    async answer(call) {
      await checkLength(call.input.request);
      return write(call, await ask(parts, call));
    },
  };
}

async function ask(parts: RouteParts, call: Call<EmbeddingsInput>): Promise<Routed<EmbeddedForTarget>> {
  const { model, fallbacks, request } = call.input;
  const finished = ofEach((): Finished<EmbeddedBatch> => new Map());
  const routed = await route(
    parts,
    { endpoint: 'embeddings', model, fallbacks, needs: [{ modality: 'text' }] },
    {
      canServe: ({ embeddings }) => embeddings !== undefined,
      check: (target, primary) => {
        checkTarget(parts, target, request);
        checkDimensions(call.input, target, primary);
      },
      ask: (target) => askTarget(parts, target, request, call.signal, finished(target)),
      maxTokens: (target) => ({ input: maxTokens(request.texts, target), output: 0 }),
    },
    call,
  );
  parts.health.succeeded(routed.target);
  return routed;
}

/** Vectors of other dimensions cannot be compared with those of the model that was asked for. */
function checkDimensions({ request }: EmbeddingsInput, target: Target, primary: Target): void {
  const [wanted, given] = [primary, target].map((one) => dimensionsOf(request.parameters, one));
  if (given === wanted) return;
  const message = `The model '${target.model.id}' gives ${given} dimensions, where '${primary.model.id}' gives ${wanted}.`;
  throw new GatewayError('invalid_request', message);
}

/** A token is at least a byte; each text may get a prefix, and marks at its ends. */
function maxTokens(texts: readonly string[], { model }: Target): number {
  const { query = '', document = '' } = model.traits.embedding?.prefixes ?? {};
  const around = Buffer.byteLength(query) + Buffer.byteLength(document) + 16;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + around, 0);
}

function write({ input, facts }: Call<EmbeddingsInput>, routed: Routed<EmbeddedForTarget>): Answer {
  const { target, attempts, answer } = routed;
  const { vectors, promptTokens, estimated, sandbox } = answer;
  const counted = { promptTokens, cachedTokens: 0, cacheWriteTokens: 0 };
  facts.usage = { ...counted, completionTokens: 0, reasoningTokens: 0 };
  const details = { changes: [...routed.changes, ...answer.changes], sandbox };
  facts.normalizations = details.changes.length;
  if (estimated) facts.estimated = true;
  const deprecations = modelDeprecations(target.model);
  const debug = writeDebug(input.debug, { changes: details.changes, deprecations, attempts });
  const { model, encoding } = input;
  const text = writeEmbeddings(vectors, { model, promptTokens, encoding, debug });
  return { type: 'large-json', headers: gatewayHeaders({ details }), text };
}
