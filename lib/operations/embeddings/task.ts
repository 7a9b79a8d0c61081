/** What the embeddings operation contributes to the pipeline: texts and parameters as each target takes them. */
import { lazy } from '../../async/lazy.ts';
import type { CacheVerdict } from '../../core/caching.ts';
import type { EmbeddingTraits, Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { EmbeddingParameters, EmbeddingRequest } from '../../core/generation/embedding.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  callEmbeddings,
  type Embedded,
  type EmbeddingCall,
} from '../../pipeline/embeddings/call-embeddings.ts';
import { estimateTokens } from '../../pipeline/embeddings/tokens.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { Providers } from '../../providers/provider.ts';
import type { Attempt } from '../../routing/attempt.ts';
import type { EmbeddingsInput } from './read.ts';

export interface PreparedEmbeddings extends EmbeddingCall {
  readonly changes: readonly Change[];
}

export interface EmbeddingsAnswer extends Pick<Embedded, 'vectors' | 'promptTokens' | 'sandbox'> {
  readonly target: Target;
  /** The id of the model that was named. */
  readonly requestedId: string;
  readonly attempts: readonly Attempt[];
  readonly changes: readonly Change[];
  readonly cache?: CacheVerdict;
  /** Of a request that was not sent. */
  readonly dry?: { readonly report: object };
}

export function embeddingsTask(
  { providers }: { readonly providers: Providers },
  input: EmbeddingsInput,
): ModelTask<PreparedEmbeddings, Embedded> {
  const { request } = input;
  return {
    ...oneCallTask('embeddings', input, 'embeddings'),
    inputTokens: lazy(() => estimateTokens(request.texts)),
    maxTokens: (target) => ({ input: maxTokens(request.texts, target), output: 0 }),
    prepare(target, primary) {
      checkDimensions(request.parameters, target, primary);
      return prepare(providers, target, request);
    },
    call: callEmbeddings,
  };
}

function prepare(providers: Providers, target: Target, given: EmbeddingRequest): PreparedEmbeddings {
  const { provider, serves: embeddings } = servedBy(providers, target, 'embeddings');
  const { request, changes } = withRules(given, target, embeddings.rules);
  const traits = traitsOf(target);
  return {
    provider,
    embeddings,
    target,
    request: forModel(request, traits),
    traits,
    dimensions: dimensionsOf(given.parameters, target),
    finished: new Map(),
    changes,
  };
}

/** How many numbers the caller gets for each text. */
function dimensionsOf({ dimensions }: EmbeddingParameters, target: Target): number {
  return dimensions ?? traitsOf(target).dimensions.default;
}

function traitsOf({ model }: Target): EmbeddingTraits {
  const { embedding } = model.traits;
  if (embedding) return embedding;
  throw new GatewayError('internal', `The catalog has no embedding traits for '${model.id}'.`);
}

/** Vectors of other dimensions cannot be compared with those of the requested model. */
function checkDimensions(parameters: EmbeddingParameters, target: Target, primary: Target): void {
  const [wanted, given] = [primary, target].map((one) => dimensionsOf(parameters, one));
  if (given === wanted) return;
  const message = `The model '${target.model.id}' returns ${given} dimensions, but '${primary.model.id}' returns ${wanted}. Use fallbacks with the same dimensions.`;
  throw new GatewayError('invalid_request', message);
}

/** The texts with the prefix that the model wants, without parameters that the gateway applies itself. */
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

/** A token is at least a byte; each text may get a prefix, and marks at its ends. */
function maxTokens(texts: readonly string[], { model }: Target): number {
  const { query = '', document = '' } = model.traits.embedding?.prefixes ?? {};
  const around = Buffer.byteLength(query) + Buffer.byteLength(document) + 16;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + around, 0);
}
