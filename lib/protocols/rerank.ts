/**
 * The rerank protocols. Most hosts have Cohere's or Jina's form with other names, which are data here. Sources: cohere-ai 8.1.0 and
 * docs.cohere.com, v1 and v2 Rerank; voyageai 0.4.0; together-ai 0.52.0; api.jina.ai and docs.vllm.ai, Rerank; openrouter.ai, "Submit a
 * rerank request"; Cohere's models on Bedrock: aws-samples and cohere-python issue 613; cloud.google.com, rankingConfigs.rank.
 */

import type { GatewayError } from '../core/errors/errors.ts';
import { asArray, asObject, type Wire } from '../core/formats/json-object.ts';
import type { UpstreamFailure } from '../core/generation/original/protocol.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type {
  Ranked,
  RerankParameters,
  RerankProtocol,
  RerankRequest,
  RerankUse,
} from '../core/generation/rerank.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { readFailure as readBedrockFailure } from './bedrock-converse/failure.ts';
import { readFailure as readCohereFailure } from './cohere-chat/failure.ts';
import { readStatedCost } from './counts.ts';
import { withInternalNames } from './failure.ts';
import { asCount } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';
import { readVoyageFailure } from './openai-embeddings.ts';
import { rankedOf } from './ranked.ts';

export interface RerankDialect {
  /** Below the base URL. */
  readonly path?: string;
  /** The host's names of fields. */
  readonly names?: Readonly<Partial<Record<keyof RerankParameters | 'documents', string>>>;
  /** Fields that every request has. */
  readonly always?: JsonObject;
  /** What an error status means, if the host has its own way to report it. */
  readonly readFailure?: (failure: UpstreamFailure) => GatewayError;
}

/** The gateway puts documents back itself, so that they need not come over the network. */
const withoutDocuments = { return_documents: false };

export const hostRerank: RerankDialect = { always: withoutDocuments };

const cohereDialect: RerankDialect = { readFailure: readCohereFailure };

const voyageDialect: RerankDialect = {
  names: { top_n: 'top_k' },
  always: withoutDocuments,
  readFailure: readVoyageFailure,
};

type Answer = Wire<{ results: object[]; data: object[]; meta: object; usage: object }>;
type Item = Wire<{ index: number; relevance_score: number; score: number }>;
type Meta = Wire<{ billed_units: object; tokens: object }>;
type Counts = Wire<{
  search_units: number;
  input_tokens: number;
  total_tokens: number;
  prompt_tokens: number;
}>;

export function createRerank(dialect: RerankDialect): RerankProtocol {
  const { path = '/rerank', names = {}, always, readFailure: read = readFailure } = dialect;
  const internalNames = Object.fromEntries(Object.entries(names).map(([name, own]) => [own, name]));
  return {
    path: () => path,
    encode: (request, { deployment }) => ({
      model: deployment.upstreamId,
      ...always,
      ...encodeBody(request, names),
    }),
    readUse,
    decode,
    readFailure: (failure) => withInternalNames(read(failure), internalNames),
  };
}

export const cohereRerank = createRerank(cohereDialect);
export const voyageRerank = createRerank(voyageDialect);
export const jinaRerank = createRerank(hostRerank);

function encodeBody(
  { query, documents, parameters }: RerankRequest,
  names: NonNullable<RerankDialect['names']> = {},
): JsonObject {
  const renamed = Object.entries(parameters).map(([name, value]) => [
    names[name as keyof RerankParameters] ?? name,
    value,
  ]);
  return { query, [names.documents ?? 'documents']: documents, ...Object.fromEntries(renamed) };
}

/** In `results`, at Voyage in `data`; a server of Hugging Face answers with the list itself. */
function decode(body: unknown): readonly Ranked[] {
  const answer = asObject<Answer>(body);
  refuseReported(answer);
  const list = Array.isArray(body) ? body : (answer.results ?? answer.data);
  return asArray(list).map((item) => {
    const { index, relevance_score, score = relevance_score } = asObject<Item>(item);
    return rankedOf(index, score);
  });
}

/** Cohere counts in `meta`, what it bills first; others in `usage`. */
function readUse(body: unknown): RerankUse {
  const { meta, usage } = asObject<Answer>(body);
  const { billed_units, tokens } = asObject<Meta>(meta);
  const [billed, read, counted] = [billed_units, tokens, usage].map(asObject<Counts>);
  return {
    tokens: firstCount(
      billed?.input_tokens,
      read?.input_tokens,
      counted?.total_tokens,
      counted?.prompt_tokens,
    ),
    searchUnits: firstCount(billed?.search_units, counted?.search_units),
    statedCost: readStatedCost(asObject(usage)),
    raw: asObject(usage ?? billed_units),
  };
}

/** A count of 0 is none: no request is that short. */
const firstCount = (...counts: readonly unknown[]): number | undefined =>
  counts.map(asCount).find((count) => count > 0);

/** InvokeModel, and not Rerank: that one takes no key of Bedrock, and needs rights of its own. It reports no search units. */
const invoke: Omit<RerankProtocol, 'encode'> = {
  path: (upstreamId) => `/model/${encodeURIComponent(upstreamId)}/invoke`,
  readUse: (_body: unknown, headers: HttpResponse['headers']) => ({
    tokens: firstCount(Number(headers['x-amzn-bedrock-input-token-count'])),
  }),
  decode,
  readFailure: readBedrockFailure,
};

export const bedrockRerank: RerankProtocol = { ...invoke, encode: (request) => encodeBody(request) };

export const bedrockCohereRerank: RerankProtocol = {
  ...invoke,
  encode: (request) => ({ ...encodeBody(request), api_version: 2 }),
};
