/** Reranking: `POST /v1/rerank` and `/v2/rerank`, in one form, whichever provider's client asks. */
import { lazy } from '../../async/lazy.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { RerankRequest } from '../../core/generation/rerank.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  bytesPerToken,
  callRerank,
  type RerankCall,
  type Reranked,
  searchUnitsOf,
  tokensOf,
} from '../../pipeline/call-rerank.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { Providers } from '../../providers/provider.ts';
import { costInUsage, withCost } from '../answer-facts.ts';
import { type Made, oneCallEndpoint } from '../one-call/endpoint.ts';
import { type RerankInput, readRerank } from './read.ts';
import { rerankSchema } from './schema.ts';

interface PreparedRerank extends RerankCall {
  readonly changes: readonly Change[];
}

export const rerankEndpoint = (parts: PipelineParts): Endpoint<typeof rerankSchema, RerankInput> =>
  oneCallEndpoint(parts, {
    endpoint: 'rerank',
    schema: rerankSchema,
    read: readRerank,
    texts: ({ query, documents }) => [
      { text: query, path: 'query' },
      ...documents.map((text, position) => ({ text, path: `documents.${position}` })),
    ],
    withTexts: (request, [query = request.query, ...documents]) => ({ ...request, query, documents }),
    task: (input) => rerankTask(parts, input),
    nothing: { results: [], tokens: undefined, searchUnits: undefined, sandbox: false },
    write,
  });

function write(
  call: Call<RerankInput>,
  { target, result, headers, debug }: Made<PreparedRerank, Reranked>,
): Answer {
  const { input } = call;
  const { results, tokens, searchUnits } = result;
  const usage = {
    ...(tokens !== undefined && { total_tokens: tokens }),
    ...(searchUnits !== undefined && { search_units: searchUnits }),
  };
  const body = {
    id: call.requestId,
    object: 'list',
    // Not the requested one: scores are of one model.
    model: target.model.id,
    results: results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(input.returned && { document: writeDocument(input, index) }),
    })),
    meta: writeMeta(result),
    usage: withCost(usage, costInUsage(call)),
    ...debug(),
  };
  return { type: 'json', headers, body };
}

/** In Cohere's form, which has the text of a document. */
function writeDocument({ returned, request }: RerankInput, index: number): object {
  const document = returned?.[index];
  const text = request.documents[index] ?? '';
  return typeof document === 'object' ? { text, ...document } : { text };
}

/** Cohere's own answers bill units or tokens. */
const writeMeta = ({ tokens, searchUnits }: Reranked): object => ({
  api_version: { version: '2' },
  billed_units: {
    ...(searchUnits !== undefined && { search_units: searchUnits }),
    ...(searchUnits === undefined && tokens !== undefined && { input_tokens: tokens }),
  },
  ...(tokens !== undefined && { tokens: { input_tokens: tokens } }),
});

function rerankTask(
  { providers }: { readonly providers: Providers },
  input: RerankInput,
): ModelTask<PreparedRerank, Reranked> {
  const { request } = input;
  return {
    ...oneCallTask('rerank', input, 'rerank'),
    inputTokens: lazy(() => tokensOf(request, bytesPerToken)),
    maxTokens: lazy(() => maxTokens(request)),
    prepare: (target) => prepare(providers, target, request),
    call: callRerank,
  };
}

function prepare(providers: Providers, target: Target, request: RerankRequest): PreparedRerank {
  const { provider, serves } = servedBy(providers, target, 'rerank');
  const protocol = serves.protocol(target);
  const { maxDocuments = Number.POSITIVE_INFINITY } = protocol;
  if (request.documents.length > maxDocuments) {
    const message = `'documents' must have at most ${maxDocuments} elements for the model '${target.model.id}'.`;
    throw new GatewayError('invalid_request', message, { param: 'documents' });
  }
  return { provider, protocol, target, ...withRules(request, target, serves.rules) };
}

/** What models put around a query and a document, in tokens. */
const around = 16;

/** A token is at least a byte. Not every target takes a limit for documents. */
const maxTokens = (request: RerankRequest): MaxTokens => ({
  input: tokensOf(request, 1) + around * request.documents.length,
  output: 0,
  searchUnits: searchUnitsOf({ ...request, parameters: {} }, 1),
});
