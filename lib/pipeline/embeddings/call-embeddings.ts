/**
 * One target asked to embed: as many calls as its protocol needs for the texts, their answers joined in order. Knows nothing
 * of other targets.
 */
import { type Finished, mapConcurrently, onceEach } from '../../async/map-concurrently.ts';
import type { EmbeddingTraits, Target } from '../../core/catalog/model.ts';
import type { AttemptFacts } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withCallerPath } from '../../core/generation/caller-path.ts';
import {
  type EmbeddingAnswer,
  type EmbeddingProtocol,
  type EmbeddingRequest,
  textPath,
  type Vector,
} from '../../core/generation/embedding.ts';
import { inputOnly } from '../../core/generation/usage.ts';
import type { Account, Embeddings, Provider } from '../../providers/provider.ts';
import type { CallOptions } from '../model-task.ts';
import { isSandbox, openAccount, readJson } from '../use/account.ts';
import { noteEstimate, noteUse } from '../use/attempt-use.ts';
import { readAnswer } from '../use/read-answer.ts';
import { countTokens, estimateTokens, refuseTooLong } from './tokens.ts';

/** Texts and parameters as their target takes them. */
export interface EmbeddingCall {
  readonly provider: Provider;
  readonly embeddings: Embeddings;
  readonly target: Target;
  readonly request: EmbeddingRequest;
  readonly traits: EmbeddingTraits;
  /** How many numbers the caller gets for each text. */
  readonly dimensions: number;
  /** What earlier calls of this target have given: only the rest is asked for again. */
  readonly finished: Finished<EmbeddedBatch>;
}

export interface Embedded {
  /** In the order of the texts. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** Whether the gateway counted the tokens, because upstream did not. */
  readonly estimated: boolean;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** What one call gave. */
type EmbeddedBatch = EmbeddingAnswer & { readonly sandbox: boolean };

/** Calls of one request that run at the same time. */
const callsAtOnce = 8;

export const largestAnswer = 64 * 1024 * 1024;

/** Rejects with GatewayError when a call fails: vectors of one request come all together or not at all. */
export async function callEmbeddings(
  { provider, embeddings, target, request, finished, ...wanted }: EmbeddingCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Embedded> {
  const protocol = embeddings.protocol(target);
  // An embedding is not generated piece by piece: its first byte takes no longer than that of a stream.
  const account = await openAccount(provider, target, 'stream', connections, {
    signal,
    lasting,
    memory,
    attempt,
  });
  await refuseTooLong(account, protocol, target, request);
  const batches = batchesOf(request.texts, limitsOf(protocol, target));
  const one = (batch: Batch) =>
    callBatch(account, { protocol, target, request: { ...request, texts: batch.texts }, batch, attempt });
  const isFirst = finished.size === 0;
  const answers = await mapConcurrently(batches, callsAtOnce, onceEach(finished, one));
  const tokens = await tokensOf(account, protocol, target, request.texts, answers);
  if (isFirst && attempt.estimated && !tokens.estimated) {
    attempt.usage = inputOnly(tokens.promptTokens);
    delete attempt.estimated;
  }
  return {
    vectors: answers.flatMap(({ vectors }) => vectors.map((vector) => shape(vector, wanted))),
    ...tokens,
    sandbox: answers.some(({ sandbox }) => sandbox),
  };
}

/** A vector of the length that the caller gets. */
function shape(vector: Vector, wanted: Pick<EmbeddingCall, 'traits' | 'dimensions'>): Vector {
  const { default: whole, shortenedBy, normalizedUpstream = true } = wanted.traits.dimensions;
  const { dimensions } = wanted;
  if (shortenedBy === 'gateway' && dimensions < whole && vector.length === whole) {
    return shortened(vector, dimensions);
  }
  if (vector.length !== dimensions) {
    const message = `The provider returned ${vector.length} dimensions in place of ${dimensions}.`;
    throw new GatewayError('upstream_invalid_answer', message);
  }
  return normalizedUpstream || dimensions === whole ? vector : normalized(vector);
}

function limitsOf({ batchSize, maxBytes }: EmbeddingProtocol, { model }: Target) {
  const own = model.traits.embedding?.batchSize ?? batchSize;
  return { maxTexts: Math.min(own, batchSize), maxBytes: maxBytes ?? Number.POSITIVE_INFINITY };
}

interface OneCall {
  readonly protocol: EmbeddingProtocol;
  readonly target: Target;
  readonly request: EmbeddingRequest;
  readonly batch: Batch;
  readonly attempt: AttemptFacts;
}

async function callBatch(
  account: Account,
  { protocol, target, request, batch, attempt }: OneCall,
): Promise<EmbeddedBatch> {
  const path = protocol.path(target.deployment.upstreamId);
  const response = await account.post(path, protocol.encode(request, target));
  return await readAnswer(response, {
    protocol,
    async read() {
      const body = await readJson(response, largestAnswer);
      const answer = protocol.decode(body, response.headers, batch.texts.length);
      const { promptTokens } = answer;
      if (promptTokens !== undefined) noteUse(attempt, { usage: inputOnly(promptTokens) });
      else noteEstimate(attempt, inputOnly(estimateTokens(batch.texts)));
      return { ...answer, sandbox: isSandbox(response) };
    },
    located: (error) => withPath(error, request, batch),
  });
}

/** The error with the caller's path of the field at fault; of the text, where the call had only one. */
function withPath(error: GatewayError, request: EmbeddingRequest, { start, texts }: Batch): GatewayError {
  if (error.kind !== 'upstream_context_length') return withCallerPath(error, request);
  return error.with({ param: texts.length === 1 ? textPath(request, start) : 'input' });
}

/** As upstream counted; else as its counting call says; else an estimate. */
async function tokensOf(
  account: Account,
  protocol: EmbeddingProtocol,
  target: Target,
  texts: readonly string[],
  answers: readonly EmbeddingAnswer[],
): Promise<Pick<Embedded, 'promptTokens' | 'estimated'>> {
  const counts = answers.flatMap(({ promptTokens }) => promptTokens ?? []);
  if (counts.length === answers.length) {
    return { promptTokens: counts.reduce((sum, count) => sum + count, 0), estimated: false };
  }
  // A failed count must not lose the vectors.
  const counted = await countTokens(account, protocol, target, texts).catch(() => undefined);
  return counted === undefined
    ? { promptTokens: estimateTokens(texts), estimated: true }
    : { promptTokens: counted, estimated: false };
}

interface Batch {
  /** The index of its first text in the request. */
  readonly start: number;
  readonly texts: readonly string[];
}

interface BatchLimits {
  readonly maxTexts: number;
  readonly maxBytes: number;
}

/** In order. A text that is too long for any call goes alone: upstream says so. */
function batchesOf(texts: readonly string[], { maxTexts, maxBytes }: BatchLimits): readonly Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    const size = Buffer.byteLength(text);
    if (index > start && (index - start === maxTexts || bytes + size > maxBytes)) {
      batches.push({ start, texts: texts.slice(start, index) });
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  return [...batches, { start, texts: texts.slice(start) }];
}

/**
 * Shortens vectors if the host returns only full ones, and normalizes them if the host does not do it.
 */

/** The first numbers, normalized again, as 32-bit floats. */
export function shortened(vector: Vector, dimensions: number): Float32Array {
  return normalized(vector.slice(0, dimensions));
}

/** Calculates in 64-bit floats. A vector of zeros stays unchanged. */
export function normalized(vector: Vector): Float32Array {
  const numbers = Float64Array.from(vector);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length));
}
