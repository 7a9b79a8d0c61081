/** What chat completions and Responses contribute to the pipeline: one task, for a request to generate. */
import { lazy } from '../../async/lazy.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import { modalityOf } from '../../core/generation/content.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { toolsIn } from '../../core/generation/tools/hosted-calls.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { Change, Normalized } from '../../normalization/rule.ts';
import { generationOf, type Provider } from '../../providers/provider.ts';
import type { Need } from '../../routing/resolve-model.ts';
import { linksToFetch } from '../media/request-media.ts';
import type { ModelTask } from '../model-task.ts';
import type { PipelineParts } from '../parts.ts';
import { conversationOf, keepsNothing } from '../plan-targets.ts';
import { estimateInput } from '../use/seen-use.ts';
import { withCacheBounds } from './bounds/cache-bounds.ts';
import { originalWithinGrant, withinGrant } from './bounds/granted-output.ts';
import { maxCalls, readingTools, withCalls } from './bounds/reading-tools.ts';
import { attemptOutput, maxTokensOf, mayLackPrice } from './bounds/token-bounds.ts';
import { cacheKeyOf } from './cache-key.ts';
import { callGeneration, type UpstreamAnswer } from './call-generation.ts';
import { conversationIn, shapeOf } from './conversation.ts';
import { readForTarget } from './native/for-target.ts';
import { type Asked, isForOriginal, prepareGeneration } from './prepare.ts';
import type { RetriableGeneration } from './retry-modifiers.ts';

export function generationTask(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): ModelTask<RetriableGeneration, UpstreamAnswer> {
  const { providers, connections } = parts;
  const {
    model,
    fallbacks,
    request,
    truncate = false,
    repair = false,
    granted = Number.POSITIVE_INFINITY,
    maxToolCalls = Number.isFinite(granted) ? maxCalls : Number.POSITIVE_INFINITY,
  } = asked;
  const conversation = lazy(() => conversationIn(request));
  const inputTokens = lazy(() => estimateInput(request));
  const cacheKey = lazy(() => {
    const own = conversationOf({ conversation }, call);
    return own === undefined ? undefined : cacheKeyOf(own);
  });
  const answers = (request.parameters.n ?? 1) * (repair ? 2 : 1);
  const isAltered = (asked.leftOutOfOriginal ?? []).length > 0;
  /** Known once the targets are planned: the caller's fields of a protocol are those of the target that is asked first. */
  let first: Target | undefined;
  /** The request with these fields read, as far as they mean parameters. */
  const readOwn = (sent: GenerationRequest, target: Target, primary: Target): Normalized =>
    sent.nativeFields
      ? readForTarget(sent, { providers, endpoint, target, primary })
      : { request: sent, changes: [] };
  const prepare = (target: Target, primary: Target, sent: GenerationRequest) => {
    const own = readOwn(sent, target, primary);
    const isOriginal = isForOriginal({ providers, endpoint }, target, own.request);
    const lower = isOriginal ? originalWithinGrant : withinGrant;
    const within = lower(own.request, target, Math.floor(granted / answers));
    const calling = withCalls(within.request, maxToolCalls);
    const given = { ...asked, request: calling.request };
    const prepared = prepareGeneration({ providers, endpoint, cacheKey }, target, given);
    // Too many links are refused before anything is reserved, fetched or sent.
    linksToFetch(prepared.request, prepared.generation);
    return {
      ...prepared,
      ...(mayBeStored(asked, target, call) && { run: asked.run }),
      changes: [...own.changes, ...within.changes, ...calling.changes, ...prepared.changes],
    };
  };
  /** What is left out for a target costs nothing there. */
  const counted = (target: Target) => {
    const { request: own } = sentOr({ request }, () => readOwn(request, target, first ?? target));
    if (!mayLackPrice(own)) return own;
    return sentOr({ request: own }, () => prepare(target, first ?? target, request)).request;
  };
  const bounds = (target: Target, sent: GenerationRequest) => {
    const provider = providers.get(target.deployment.provider);
    const { storesContent, toolsReadOnce } =
      (provider && generationOf(provider, endpoint, target, sent)) ?? {};
    const max = maxTokensOf(sent, target, toolsReadOnce);
    return withCacheBounds(
      max,
      sent,
      storesContent && !keepsNothing(asked, call) ? connections.maxCacheSeconds : undefined,
    );
  };
  return {
    endpoint,
    model,
    fallbacks,
    fallbackPaths: asked.fallbackPaths,
    preferences: asked.preferences,
    generation: request,
    unmetField: asked.requireParameters
      ? (target) => unmetField(() => prepare(target, target, request))
      : undefined,
    needs: needsOf(request),
    alsoCalls: () => [...modelsOfTools(request), ...(request.original?.cost?.models ?? [])],
    shape: () => shapeOf(request),
    conversation,
    check(primary) {
      first = primary;
      readOwn(request, primary, primary);
    },
    canServe: (provider, target) => hasBegun(asked, target) && canServe(provider, target, endpoint, request),
    isStream: request.stream,
    inputTokens,
    output: (target, given) => attemptOutput(request, target, given && Math.floor(given / (repair ? 2 : 1))),
    maxTokens: (target) => (repair ? twice : once)(bounds(target, counted(target))),
    firstOutputMs: (target) =>
      request.stream ? firstOutputMs(connections.timeouts.firstByteMs, target) : undefined,
    prepare: (target, primary) => ({
      ...prepare(target, primary, request),
      canReduce: asked.normalize,
      originalRetry: target !== primary || isAltered ? asked.originalRetry : undefined,
      shorter: truncate
        ? {
            whole: request,
            tries: 0,
            canReduce: asked.normalize,
            prepare: (sent) => prepare(target, primary, sent),
          }
        : undefined,
    }),
    prepareWithin: (granted) => generationTask(parts, endpoint, { ...asked, granted }, call).prepare,
    reading: () => readingTools(request)[0],
    withOneCall() {
      const {
        maxTokens,
        prepare: prepareOnce,
        prepareWithin,
      } = generationTask(parts, endpoint, { ...asked, maxToolCalls: 1 }, call);
      return { maxTokens, prepare: prepareOnce, ...(prepareWithin && { prepareWithin }), maxToolCalls: 1 };
    },
    call: callGeneration,
    async modify(error, prepared) {
      const { reduced, shortened } = await import('./retry-modifiers.ts');
      return reduced(error, prepared) ?? shortened(error, prepared);
    },
  };
}

/**
 * Whether the provider may keep the response of a run while it creates it: neither the caller nor the operator says otherwise, and it is
 * the gateway's account, at which any worker finds it again.
 */
function mayBeStored(asked: Asked, { deployment, credential }: Target, call: Call<unknown>): boolean {
  const { run, preferences } = asked;
  const isRefused =
    keepsNothing(asked, call) || preferences?.noCollection || deployment.retainsData === false;
  return run !== undefined && !isRefused && !credential;
}

/** Of a run that an earlier worker has begun at a target, no other is asked. */
function hasBegun({ run }: Asked, { model, deployment: { provider, region } }: Target): boolean {
  const { begun } = run ?? {};
  return !begun || (begun.model === model.id && begun.provider === provider && begun.region === region);
}

/** Whether a target would leave out one of the caller's parameters, or refuse the request. */
function unmetField(prepare: () => { readonly changes: readonly Change[] }): string | undefined {
  try {
    const isLeftOut = ({ action, param }: Change) => action === 'strip' && !param.includes('.');
    return prepare().changes.some(isLeftOut) ? 'provider.require_parameters' : undefined;
  } catch {
    return 'provider.require_parameters';
  }
}

/** OpenAI's tool of images may name the model that draws them. Source: ImageGenTool in OpenAI's schema. */
function modelsOfTools(request: GenerationRequest) {
  return toolsIn(request).flatMap((tool) => {
    if (typeof tool.model !== 'string') return [];
    const hosted = request.hostedTools?.find((one) => one.tool === tool);
    return [{ model: `openai/${tool.model}`, param: hosted ? `${pathOf(hosted)}.model` : 'input' }];
  });
}

interface Sent {
  readonly request: GenerationRequest;
}

/** A target that refuses the request is found later, by name. */
function sentOr(otherwise: Sent, prepare: () => Sent): Sent {
  try {
    return prepare();
  } catch {
    return otherwise;
  }
}

const once = (max: MaxTokens) => max;

/** A second call also reads the answer of the first. */
function twice(max: MaxTokens): MaxTokens {
  const { input, read = 0, output, searches, minOutput, usualOutput, hostedCalls = {}, ...others } = max;
  const calls = Object.entries(hostedCalls).map(([name, max]) => [name, 2 * max] as const);
  const sum = {
    ...others,
    input: 2 * input + output,
    ...(read > 0 && { read: 2 * read }),
    output: 2 * output,
    calls: 2,
    hostedCalls: Object.fromEntries(calls),
    ...(minOutput !== undefined && { minOutput: 2 * minOutput }),
    ...(usualOutput !== undefined && { usualOutput: 2 * usualOutput }),
  };
  return searches === undefined ? sum : { ...sum, searches: 2 * searches };
}

function canServe(
  provider: Provider,
  target: Target,
  endpoint: ModelEndpoint,
  request: GenerationRequest,
): boolean {
  const generation = generationOf(provider, endpoint, target, request);
  // A model that can search is called where its provider offers it; one that cannot at all is refused later, by name.
  const { externalAccess = true } = request.webSearch ?? { externalAccess: false };
  const mustSearch = externalAccess && target.model.traits.webSearch === true;
  return generation !== undefined && (!mustSearch || generation.searchesWeb === true);
}

/**
 * How long a stream may show nothing but signs of life while another target is left, as a share of the first-byte timeout. A
 * model that reasons out of sight may take longer than its first byte; another has no reason to.
 */
const firstOutputShare = { reasoning: 2, plain: 0.4 };

function firstOutputMs(override: number | undefined, { model }: Target): number {
  const firstByteMs = override ?? model.timeouts.firstByteMs;
  return firstByteMs * firstOutputShare[model.traits.reasoning ? 'reasoning' : 'plain'];
}

/** What a target must take. Results of tools need nothing in Messages: what a model cannot see there becomes a text. */
function needsOf({ messages, original }: GenerationRequest): readonly Need[] {
  const needed = original ? messages.filter(({ role }) => role !== 'tool') : messages;
  const parts = needed.flatMap(({ content }) =>
    content.flatMap((part) => {
      const modality = modalityOf(part);
      return modality === undefined ? [] : [{ modality, param: pathOf(part) }];
    }),
  );
  return [{ modality: 'text' }, ...parts];
}
