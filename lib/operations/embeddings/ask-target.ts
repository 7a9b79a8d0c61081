/**
 * Embeds texts with one target: adapts texts and parameters to its model, and its vectors to the requested dimensions.
 */

import type { Finished } from '../../async/map-concurrently.ts';
import { GatewayError } from '../../core/errors.ts';
import type { EmbeddingParameters, EmbeddingRequest, Vector } from '../../core/generation/embedding.ts';
import type { EmbeddingTraits, Target } from '../../core/model.ts';
import type { Change } from '../../normalization/rule.ts';
import { settle } from '../../normalization/settle.ts';
import type { Connections } from '../../pipeline/account.ts';
import { type Embedded, type EmbeddedBatch, embed } from '../../pipeline/embed.ts';
import type { Embeddings, Providers } from '../../providers/provider.ts';
import { normalized, shortened } from './shorten.ts';

export interface AskParts {
  readonly providers: Providers;
  readonly connections: Connections;
}

/** The vectors of a target, and what was changed for it. */
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
  const { provider, embeddings } = embeddingsOf(parts, target);
  const { parameters, changes } = settleFor(embeddings, target, request);
  const traits = traitsOf(target);
  const sent = forModel({ ...request, parameters }, traits);
  const embedded = await embed(provider, embeddings, target, sent, parts.connections, signal, finished);
  const wanted = dimensionsOf(request.parameters, target);
  const vectors = embedded.vectors.map((vector) => shaped(vector, wanted, traits));
  return { ...embedded, vectors, changes };
}

/** The number of dimensions that the caller gets. */
export function dimensionsOf({ dimensions }: EmbeddingParameters, target: Target): number {
  return dimensions ?? traitsOf(target).dimensions.default;
}

/** @throws GatewayError `invalid_request` if the target does not support something that must not be ignored. */
export function checkTarget(parts: AskParts, target: Target, request: EmbeddingRequest): void {
  settleFor(embeddingsOf(parts, target).embeddings, target, request);
}

function settleFor(embeddings: Embeddings, target: Target, request: EmbeddingRequest) {
  const { parameters, changes } = settle(request.parameters, embeddings.rules, (now) => ({
    request,
    parameters: now,
    target,
  }));
  return { parameters, changes: changes.map(inPublicWords) };
}

const inPublicWords = (change: Change): Change =>
  change.param === 'input_type' ? { ...change, param: 'extra.input_type' } : change;

function embeddingsOf({ providers }: AskParts, { deployment }: Target) {
  const provider = providers.get(deployment.provider);
  if (provider?.embeddings) return { provider, embeddings: provider.embeddings };
  throw new GatewayError('upstream_model_missing', 'The catalog names a provider without embeddings.');
}

function traitsOf({ model }: Target): EmbeddingTraits {
  const { embedding } = model.traits;
  if (embedding) return embedding;
  throw new GatewayError('internal', `The catalog has no embedding traits for '${model.id}'.`);
}

/** Adds the model's prefix to the texts and removes the parameters that the gateway itself applies. */
function forModel(request: EmbeddingRequest, traits: EmbeddingTraits): EmbeddingRequest {
  const { dimensions, input_type: type = 'document', ...others } = request.parameters;
  const isSent = dimensions !== undefined && traits.dimensions.shortenedBy !== 'gateway';
  const prefix = traits.inputTypes === 'prefix' ? (traits.prefixes?.[type] ?? '') : '';
  return {
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
    const message = `The provider returned ${vector.length} dimensions instead of ${wanted}.`;
    throw new GatewayError('upstream_invalid_answer', message);
  }
  return normalizedUpstream || wanted === whole ? vector : normalized(vector);
}
