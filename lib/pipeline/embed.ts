/**
 * One target asked to embed: as many calls as the wire needs for the texts, their answers joined in order. Knows nothing
 * of other targets.
 */

import { type Finished, mapConcurrently, onceEach } from '../async/map-concurrently.ts';
import { GatewayError } from '../core/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import {
  type EmbeddingAnswer,
  type EmbeddingProtocol,
  type EmbeddingRequest,
  textPath,
  type Vector,
} from '../core/generation/embedding.ts';
import type { Target } from '../core/model.ts';
import type { Account, Embeddings, Provider } from '../providers/provider.ts';
import { type Connections, expectSuccess, isSandbox, openAccount, readJson, unreadable } from './account.ts';
import { type Batch, batchesOf } from './embedding-batches.ts';
import { countTokens, estimateTokens, refuseTooLong } from './embedding-tokens.ts';

export interface Embedded {
  /** In the order of the texts. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** Whether the gateway counted, as upstream did not. */
  readonly estimated: boolean;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** What one call gave. */
export type EmbeddedBatch = EmbeddingAnswer & { readonly sandbox: boolean };

/** Calls of one request that run at the same time. */
const callsAtOnce = 8;

const largestAnswer = 64 * 1024 * 1024;

/**
 * Rejects with GatewayError when a call fails: vectors of one request come all together or not at all. What `finished`
 * holds of an earlier try is not asked again.
 */
export async function embed(
  provider: Provider,
  embeddings: Embeddings,
  target: Target,
  request: EmbeddingRequest,
  connections: Connections,
  signal: AbortSignal,
  finished: Finished<EmbeddedBatch>,
): Promise<Embedded> {
  const protocol = embeddings.protocol(target);
  const given = new AbortController();
  const either = AbortSignal.any([signal, given.signal]);
  // Nothing is written bit by bit: its first byte takes no longer than that of a stream.
  const account = await openAccount(provider, target, 'stream', connections, either);
  try {
    await refuseTooLong(account, protocol, target, request);
    const batches = batchesOf(request.texts, limitsOf(protocol, target));
    const one = (batch: Batch) =>
      embedBatch(account, protocol, target, { ...request, texts: batch.texts }, batch);
    const answers = await mapConcurrently(batches, callsAtOnce, onceEach(finished, one));
    return {
      vectors: answers.flatMap(({ vectors }) => vectors),
      ...(await tokensOf(account, protocol, target, request.texts, answers)),
      sandbox: answers.some(({ sandbox }) => sandbox),
    };
  } finally {
    // Where one call failed, nobody waits for the others.
    given.abort();
  }
}

function limitsOf({ batchSize, maxBytes }: EmbeddingProtocol, { model }: Target) {
  const own = model.traits.embedding?.batchSize ?? batchSize;
  return { maxTexts: Math.min(own, batchSize), maxBytes: maxBytes ?? Number.POSITIVE_INFINITY };
}

async function embedBatch(
  account: Account,
  protocol: EmbeddingProtocol,
  target: Target,
  request: EmbeddingRequest,
  batch: Batch,
): Promise<EmbeddedBatch> {
  const path = protocol.path(target.deployment.upstreamId);
  const response = await account.post(path, protocol.encode(request, target));
  try {
    await expectSuccess(response, protocol);
    const answer = protocol.decode(
      await readJson(response, largestAnswer),
      response.headers,
      batch.texts.length,
    );
    return { ...answer, sandbox: isSandbox(response) };
  } catch (thrown) {
    throw thrown instanceof GatewayError ? withPath(thrown, request, batch) : unreadable(thrown);
  }
}

/** The error with the caller's path of the field at fault; of the text, where the call had only one. */
function withPath(error: GatewayError, request: EmbeddingRequest, { start, texts }: Batch): GatewayError {
  if (error.kind !== 'upstream_context_length') return withCallerPath(error, request);
  return error.with({ param: texts.length === 1 ? textPath(request, start) : 'input' });
}

/** As upstream counted; else as its other call counts; else about as many as there are. */
async function tokensOf(
  account: Account,
  protocol: EmbeddingProtocol,
  target: Target,
  texts: readonly string[],
  answers: readonly EmbeddingAnswer[],
): Promise<Pick<Embedded, 'promptTokens' | 'estimated'>> {
  const told = answers.flatMap(({ promptTokens }) => promptTokens ?? []);
  if (told.length === answers.length) {
    return { promptTokens: told.reduce((sum, count) => sum + count, 0), estimated: false };
  }
  // A count that cannot be had takes nothing from the vectors that are there.
  const counted = await countTokens(account, protocol, target, texts).catch(() => undefined);
  return counted === undefined
    ? { promptTokens: estimateTokens(texts), estimated: true }
    : { promptTokens: counted, estimated: false };
}
