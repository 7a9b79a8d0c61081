/**
 * One target asked to embed: the texts and parameters as its model takes them, and its vectors as long as they were asked
 * for.
 */

import type { Finished } from '../../async/map-concurrently.ts';
import { GatewayError } from '../../core/errors.ts';
import type { EmbeddingParameters, EmbeddingRequest, Vector } from '../../core/generation/embedding.ts';
import type { EmbeddingTraits, Target } from '../../core/model.ts';
import { applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import type { Connections } from '../../pipeline/account.ts';
import { type Embedded, type EmbeddedBatch, embed } from '../../pipeline/embed.ts';
import type { Embeddings, Providers } from '../../providers/provider.ts';
import { normalized, shortened } from './shorten.ts';

export interface AskParts {
  readonly providers: Providers;
  readonly connections: Connections;
}

/** What a target made of the texts, and what was changed for it. */
export interface EmbeddedForTarget extends Embedded {
  readonly changes: readonly Change[];
}

export async function askTarget(
  parts: AskParts,
  target: Target,
  request: EmbeddingRequest,
  signal: AbortSignal,
  finished: Finished<EmbeddedBatch>,
): Promise<EmbeddedForTarget> {
  const { provider, embeddings } = wireOf(parts, target);
  const { parameters, changes } = settleFor(embeddings, target, request);
  const traits = traitsOf(target);
  const sent = forModel({ ...request, parameters }, traits);
  const embedded = await embed(provider, embeddings, target, sent, parts.connections, signal, finished);
  const wanted = dimensionsOf(request.parameters, target);
  const vectors = embedded.vectors.map((vector) => shaped(vector, wanted, traits));
  return { ...embedded, vectors, changes };
}

/** How many numbers the caller gets for each text. */
export function dimensionsOf({ dimensions }: EmbeddingParameters, target: Target): number {
  return dimensions ?? traitsOf(target).dimensions.default;
}

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function checkTarget(parts: AskParts, target: Target, request: EmbeddingRequest): void {
  settleFor(wireOf(parts, target).embeddings, target, request);
}

function settleFor(embeddings: Embeddings, target: Target, request: EmbeddingRequest) {
  return applyParameterRules(
    request.parameters,
    embeddings.rules,
    (parameters) => ({ request, parameters, target }),
    request.parameterPaths,
  );
}

function wireOf({ providers }: AskParts, { deployment }: Target) {
  const provider = providers.get(deployment.provider);
  if (provider?.embeddings) return { provider, embeddings: provider.embeddings };
  throw new GatewayError('upstream_model_missing', 'The catalog names a provider that does not embed.');
}

function traitsOf({ model }: Target): EmbeddingTraits {
  const { embedding } = model.traits;
  if (embedding) return embedding;
  throw new GatewayError('internal', `The catalog does not say what '${model.id}' embeds to.`);
}

/** The texts with the prefix that the model wants, and no parameter that the gateway itself sees to. */
function forModel(request: EmbeddingRequest, traits: EmbeddingTraits): EmbeddingRequest {
  const { dimensions, input_type: type = 'document', ...others } = request.parameters;
  const isSent = dimensions !== undefined && traits.dimensions.shortenedBy !== 'gateway';
  const prefix = traits.inputTypes === 'prefix' ? (traits.prefixes?.[type] ?? '') : '';
  return {
    ...request,
    texts: request.texts.map((text) => prefix + text),
    parameters: {
      ...others,
      ...(isSent && { dimensions }),
      ...(traits.inputTypes === 'field' && { input_type: type }),
    },
  };
}

function shaped(vector: Vector, wanted: number, { dimensions }: EmbeddingTraits): Vector {
  const { default: whole, shortenedBy, normalizedUpstream = true } = dimensions;
  if (shortenedBy === 'gateway' && wanted < whole && vector.length === whole) {
    return shortened(vector, wanted);
  }
  if (vector.length !== wanted) {
    const message = `The provider answered with ${vector.length} dimensions, not with ${wanted}.`;
    throw new GatewayError('upstream_invalid_answer', message);
  }
  return normalizedUpstream || wanted === whole ? vector : normalized(vector);
}
