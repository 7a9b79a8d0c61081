/** Reranking: `POST /v1/rerank` and `/v2/rerank`, in one form, whichever provider's client asks. */
import { lazy } from '../../async/lazy.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { RerankRequest } from '../../core/generation/rerank.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import { applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  bytesPerToken,
  callRerank,
  type RerankCall,
  type Reranked,
  searchUnitsOf,
  tokensOf,
} from '../../pipeline/call-rerank.ts';
import { guardTexts } from '../../pipeline/guard-input.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import type { Providers } from '../../providers/provider.ts';
import { costInUsage, gatewayHeaders, withCost, writeDebug } from '../answer-facts.ts';
import { type RerankInput, readRerank } from './read.ts';
import { rerankSchema } from './schema.ts';

interface PreparedRerank extends RerankCall {
  readonly changes: readonly Change[];
}

export function rerankEndpoint(parts: PipelineParts): Endpoint<typeof rerankSchema, RerankInput> {
  return {
    schema: rerankSchema,
    read: readRerank,
    prepare: (input) => warmUp(parts, input),
    mayBeFree: mayBeFree(parts, 'rerank'),
    async answer(call) {
      if (call.input.dryRun) return await answerDry(parts, call);
      const { request, changes } = await guarded(parts, call);
      const first = await runTargets(parts, rerankTask(parts, { ...call.input, request }), call);
      parts.health.succeeded(first.target);
      return write(call, { ...first, changes: [...changes, ...first.changes] });
    },
  };
}

/** The request as guardrails let it pass. */
async function guarded(parts: PipelineParts, call: Call<RerankInput>) {
  const { request } = call.input;
  const given = [
    { text: request.query, path: 'query' },
    ...request.documents.map((text, position) => ({ text, path: `documents.${position}` })),
  ];
  const { texts, changes } = await guardTexts(parts, given, call);
  const [query = request.query, ...documents] = texts;
  return { request: { ...request, query, documents }, changes };
}

/** Without results. */
async function answerDry(parts: PipelineParts, call: Call<RerankInput>): Promise<Answer> {
  const { dryRun } = await import('../../pipeline/dry-run/dry-run.ts');
  const { input } = call;
  const { report, ...first } = await dryRun(parts, rerankTask(parts, input), call, input);
  const counted = { inputTokens: maxTokens(input.request).input, exact: false };
  const dry = { report: report(counted, [...first.changes, ...first.prepared.changes]) };
  return write(call, { ...first, answer: noAnswer }, dry);
}

const noAnswer: Reranked = { results: [], tokens: undefined, searchUnits: undefined, sandbox: false };

function write(
  call: Call<RerankInput>,
  { target, attempts, prepared, answer, ...first }: TargetAnswer<PreparedRerank, Reranked>,
  dry?: { readonly report: object },
): Answer {
  const { input, facts } = call;
  const { results, tokens, searchUnits, sandbox } = answer;
  const changes = [...first.changes, ...prepared.changes];
  facts.normalizations = changes.length;
  const debug = writeDebug(call, { target, changes, attempts, ...(dry && { dry }) });
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
    meta: writeMeta(answer),
    usage: withCost(usage, costInUsage(call)),
    ...(debug && { debug }),
  };
  return { type: 'json', headers: gatewayHeaders({ changes, sandbox, ...(dry && { dry }) }), body };
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
  { model, fallbacks, preferences, request }: RerankInput,
): ModelTask<PreparedRerank, Reranked> {
  return {
    endpoint: 'rerank',
    model,
    fallbacks,
    preferences,
    needs: [{ modality: 'text' }],
    canServe: ({ rerank }) => rerank !== undefined,
    inputTokens: lazy(() => tokensOf(request, bytesPerToken)),
    output: () => ({ reserved: 0, isHidden: false, isInputUnknown: false }),
    maxTokens: lazy(() => maxTokens(request)),
    firstOutputMs: () => undefined,
    prepare: (target) => prepare(providers, target, request),
    call: callRerank,
  };
}

function prepare(providers: Providers, target: Target, request: RerankRequest): PreparedRerank {
  const provider = providers.get(target.deployment.provider);
  if (!provider?.rerank) {
    const message = `The catalog names the provider '${target.deployment.provider}', which does not rerank.`;
    throw new GatewayError('upstream_model_missing', message);
  }
  const { rules, protocol: protocolOf } = provider.rerank;
  const protocol = protocolOf(target);
  const { maxDocuments = Number.POSITIVE_INFINITY } = protocol;
  if (request.documents.length > maxDocuments) {
    const message = `'documents' must have at most ${maxDocuments} elements for the model '${target.model.id}'.`;
    throw new GatewayError('invalid_request', message, { param: 'documents' });
  }
  const { parameters, changes } = applyParameterRules(
    request.parameters,
    rules,
    (now) => ({ request, parameters: now, target }),
    request.parameterPaths,
  );
  return { provider, protocol, target, request: { ...request, parameters }, changes };
}

/** What models put around a query and a document, in tokens. */
const around = 16;

/** A token is at least a byte. Not every target takes a limit for documents. */
const maxTokens = (request: RerankRequest): MaxTokens => ({
  input: tokensOf(request, 1) + around * request.documents.length,
  output: 0,
  searchUnits: searchUnitsOf({ ...request, parameters: {} }, 1),
});
