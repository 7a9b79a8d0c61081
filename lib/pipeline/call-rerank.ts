/** One target asked to rank documents, in one call. Knows nothing of other targets. */
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type { Ranked, RerankProtocol, RerankRequest, RerankUse } from '../core/generation/rerank.ts';
import { inputOnly } from '../core/generation/usage.ts';
import type { Provider } from '../providers/provider.ts';
import type { CallOptions } from './model-task.ts';
import { isSandbox, openAccount, readJson } from './use/account.ts';
import { noteEstimate, noteUse } from './use/attempt-use.ts';
import { readAnswer } from './use/read-answer.ts';

/** A request as its target takes it. */
export interface RerankCall {
  readonly provider: Provider;
  readonly protocol: RerankProtocol;
  readonly target: Target;
  readonly request: RerankRequest;
}

export interface Reranked {
  /** The best first, each document once, and no more than were asked for. */
  readonly results: readonly Ranked[];
  readonly tokens: number | undefined;
  readonly searchUnits: number | undefined;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** Some servers send all documents back. */
const largestAnswer = 32 * 1024 * 1024;

export async function callRerank(
  { provider, protocol, target, request }: RerankCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Reranked> {
  // Nothing is generated: the first byte takes no longer than that of a stream.
  const options = { signal, lasting, memory, attempt };
  const account = await openAccount(provider, target, 'stream', connections, options);
  const path = protocol.path(target.deployment.upstreamId);
  const response = await account.post(path, protocol.encode(request, target));
  return await readAnswer(response, {
    protocol,
    async read() {
      const body = await readJson(response, largestAnswer);
      // An answer that cannot be used costs what it counts.
      const used = noteCounts(attempt, protocol.readUse(body, response.headers, request), request);
      return { results: inOrder(protocol.decode(body), request), ...used, sandbox: isSandbox(response) };
    },
    located: (error) => withCallerPath(error, request),
  });
}

/** Throws GatewayError `upstream_invalid_answer` for a document that is not in the request, comes twice, or is missing. */
export function inOrder(
  ranked: readonly Ranked[],
  { documents, parameters }: RerankRequest,
): readonly Ranked[] {
  const indexes = new Set(ranked.map(({ index }) => index));
  const wanted = Math.min(parameters.top_n ?? documents.length, documents.length);
  const areOfRequest = ranked.every(({ index }) => index >= 0 && index < documents.length);
  if (!areOfRequest || indexes.size < ranked.length || indexes.size < wanted) {
    throw new GatewayError('upstream_invalid_answer', 'The provider did not rank each document once.');
  }
  return ranked.toSorted((one, other) => other.score - one.score || one.index - other.index).slice(0, wanted);
}

/** What the provider counts; where it counts not what it charges for, an estimate. */
export function noteCounts(
  attempt: AttemptFacts,
  { tokens, searchUnits, statedCost, raw }: RerankUse,
  request: RerankRequest,
): Pick<Reranked, 'tokens' | 'searchUnits'> {
  const isByUnits = attempt.price?.price.searchUnit !== undefined;
  const isCounted = isByUnits ? searchUnits !== undefined : (tokens ?? searchUnits) !== undefined;
  const used = {
    tokens: tokens ?? (isCounted || isByUnits ? undefined : tokensOf(request, bytesPerToken)),
    searchUnits: searchUnits ?? (isByUnits ? searchUnitsOf(request, bytesPerToken) : undefined),
  };
  const usage = {
    ...inputOnly(used.tokens ?? 0),
    ...(used.searchUnits !== undefined && { searchUnits: used.searchUnits }),
    ...(statedCost !== undefined && { statedCost }),
  };
  if (isCounted) noteUse(attempt, { usage, raw });
  else noteEstimate(attempt, usage);
  return used;
}

export const bytesPerToken = 4;

/** The query is read with each document. Source: docs.voyageai.com, the tokens of Voyage's rerankers. */
export function tokensOf({ query, documents }: RerankRequest, bytes: number): number {
  const read = documents.reduce((sum, document) => sum + Math.ceil(Buffer.byteLength(document) / bytes), 0);
  return read + Math.ceil(Buffer.byteLength(query) / bytes) * documents.length;
}

/**
 * A unit is a query with a hundred documents, and a longer document counts as its chunks of 500 tokens, each with the query. Sources:
 * cohere.com/pricing; AWS, Bedrock user guide, rerank-pricing. That a query takes at most half of a chunk is an assumption.
 */
const chunksOfUnit = 100;
const tokensOfChunk = 500;

/** About how many search units are charged; with one byte for each token, more than that. */
export function searchUnitsOf({ query, documents, parameters }: RerankRequest, bytes: number): number {
  const room = Math.max(tokensOfChunk - Math.ceil(Buffer.byteLength(query) / bytes), tokensOfChunk / 2);
  const longest = parameters.max_tokens_per_doc ?? Number.POSITIVE_INFINITY;
  const chunksOf = (document: string) =>
    Math.max(1, Math.ceil(Math.min(Buffer.byteLength(document) / bytes, longest) / room));
  return Math.ceil(documents.reduce((sum, document) => sum + chunksOf(document), 0) / chunksOfUnit);
}
