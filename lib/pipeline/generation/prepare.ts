/** A request to generate as one target takes it: rules applied, fields of another protocol left out. */

import type { RunUpstream } from '../../core/background.ts';
import type { CacheWish } from '../../core/caching.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { withoutUnseenResults } from '../../normalization/conversation/unseen-results.ts';
import { fitProtocol, normalize } from '../../normalization/normalize.ts';
import type { Change, Normalized } from '../../normalization/rule.ts';
import { withoutDeclaredSearch, withoutStoredSearch } from '../../normalization/web-search.ts';
import { type Generation, generationOf, type Providers } from '../../providers/provider.ts';
import type { Routing } from '../../routing/routing.ts';
import { withCacheKey } from './cache-key.ts';
import type { GenerationCall } from './call-generation.ts';

/** What the caller asked for, beside the request itself. */
export interface Asked extends Routing {
  readonly model: string;
  /** False: parameters go upstream unchanged. */
  readonly normalize: boolean;
  readonly request: GenerationRequest;
  /** What the reader left out of the caller's body. */
  readonly leftOut: readonly Change[];
  /** What it left out of the original request besides; absent: nothing. */
  readonly leftOutOfOriginal?: readonly Change[];
  /**
   * What is sent instead of an original request that was rejected, where the gateway has a part in it: by a fallback, or after
   * something was left out. Absent: nothing.
   */
  readonly originalRetry?: OriginalRetry;
  /** What only the protocol of the original request can express, for targets of other protocols. */
  readonly elsewhere?: Elsewhere;
  /** True: where the conversation is too long for the model, its middle is left out. */
  readonly truncate?: boolean;
  /** True: a model whose JSON answer does not fit the schema is asked once more. */
  readonly repair?: boolean;
  /** True: nothing is sent, and the answer says what would be. */
  readonly dryRun?: boolean;
  /** True: the caller reads on where its stream breaks. */
  readonly resumable?: boolean;
  /** The ids of guardrails that the caller asks for, beside those that apply anyway. */
  readonly guardrails?: readonly string[];
  /** What the caller says of the cache; absent: nothing. */
  readonly cache?: CacheWish;
  /** True: the conversation was continued from where it is stored. */
  readonly isContinued?: boolean;
  /** Of a run. */
  readonly run?: RunUpstream | undefined;
  /** The output tokens that were reserved for all answers to the request; absent: no limit applies. */
  readonly granted?: number;
  /** How often each of the provider's tools that read may be called; absent: as often as the caller allows. */
  readonly maxToolCalls?: number;
}

/** Undefined where the failure is no rejection of something that can be left out. */
export type OriginalRetry = (error: GatewayError, request: GenerationRequest) => Normalized | undefined;

export interface Elsewhere {
  /** A function, and no getter: V8 keeps what the getter of an object literal holds until it collects the whole heap. */
  readonly leftOut: () => readonly Change[];
  /** Present where the request would lose its meaning. */
  readonly refused?: GatewayError;
}

export interface PreparedGeneration extends GenerationCall {
  /** What was changed, the rules' changes first. */
  readonly changes: readonly Change[];
}

interface PrepareParts {
  readonly providers: Providers;
  readonly endpoint: ModelEndpoint;
  /** The `prompt_cache_key` of a request that has none; absent: none is added. */
  readonly cacheKey?: (() => string | undefined) | undefined;
}

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function prepareGeneration(
  parts: PrepareParts,
  target: Target,
  asked: Pick<Asked, 'request' | 'normalize' | 'elsewhere' | 'leftOutOfOriginal'>,
): PreparedGeneration {
  const { request, elsewhere } = asked;
  const found = findGeneration(parts, target, request);
  if (takesOriginal(found.generation, request)) {
    return { ...found, target, request, changes: asked.leftOutOfOriginal ?? [] };
  }
  if (elsewhere?.refused) throw elsewhere.refused;
  const translated = request.original
    ? withoutUnseenResults({ ...request, original: undefined }, target)
    : { request, changes: [] };
  const prepared = asked.normalize
    ? normalized(parts, target, translated.request, found)
    : unchanged(target, translated.request, found);
  const changes = [...(elsewhere?.leftOut() ?? []), ...translated.changes, ...prepared.changes];
  return { ...found, target, request: prepared.request, changes };
}

type Found = Pick<PreparedGeneration, 'provider' | 'generation'>;

function unchanged(target: Target, request: GenerationRequest, { generation }: Found): Normalized {
  checkSuffix(request, target);
  checkCustomTools(request, target, generation);
  if (!generation.searchesWeb) checkWebSearch(request, target, generation);
  return fitProtocol(request, target, generation.rules);
}

function normalized(
  { endpoint, cacheKey = () => undefined }: PrepareParts,
  target: Target,
  request: GenerationRequest,
  { generation }: Found,
): Normalized {
  checkSuffix(request, target);
  const stored = searchesStored(target, generation) ? { request, changes: [] } : withoutStoredSearch(request);
  // In chat, it is asked for by a parameter of its own.
  const searched =
    endpoint === 'chat_completions' || searches(stored.request, target, generation)
      ? { request: stored.request, changes: [] }
      : withoutDeclaredSearch(stored.request);
  checkWebSearch(searched.request, target, generation);
  const fitted = normalize(searched.request, target, generation.rules);
  const keyed = generation.routesByCacheKey
    ? withCacheKey(fitted.request, cacheKey)
    : { request: fitted.request, changes: [] };
  return {
    request: keyed.request,
    changes: [...stored.changes, ...searched.changes, ...fitted.changes, ...keyed.changes],
  };
}

/** Whether a target is passed through to: it gets the original, and no rule is applied. */
const takesOriginal = ({ protocol }: Generation, { original }: GenerationRequest): boolean =>
  original !== undefined && protocol.name === original.protocol && protocol.encodeOriginal !== undefined;

/** The same, before the request is prepared. */
export function isForOriginal(
  parts: Pick<PrepareParts, 'providers' | 'endpoint'>,
  target: Target,
  request: GenerationRequest,
): boolean {
  return (
    request.original !== undefined &&
    takesOriginal(findGeneration(parts, target, request).generation, request)
  );
}

/** @throws GatewayError `upstream_model_missing` for a provider that cannot serve the request. */
export function findGeneration(
  { providers, endpoint }: Pick<PrepareParts, 'providers' | 'endpoint'>,
  target: Target,
  request: GenerationRequest,
) {
  const name = target.deployment.provider;
  const provider = providers.get(name);
  const generation = provider && generationOf(provider, endpoint, target, request);
  if (provider && generation) return { provider, generation };
  const message = `The catalog names the provider '${name}', which cannot serve this model.`;
  throw new GatewayError('upstream_model_missing', message);
}

/** Without rules no function can take the place of a custom tool. */
function checkCustomTools({ tools }: GenerationRequest, target: Target, { rules }: Generation): void {
  const custom = tools.find(({ kind }) => kind === 'custom');
  if (!custom || rules.toolTypes?.(target).includes('custom')) return;
  const message = `The model '${target.model.id}' does not support tools of type 'custom' without normalization.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(custom, 'kind') });
}

/** Whether the target can search what its provider has stored of the web. */
const searchesStored = (target: Target, generation: Generation): boolean =>
  canSearch(target, generation) && generation.rules.toolTypes?.(target).includes('hosted') === true;

const canSearch = ({ model }: Target, { searchesWeb }: Generation): boolean =>
  searchesWeb === true && model.traits.webSearch === true;

/** Whether the target can search for the request. */
const searches = ({ tools }: GenerationRequest, target: Target, generation: Generation): boolean =>
  canSearch(target, generation) &&
  (tools.length === 0 || generation.searchesBesideFunctions?.(target) !== false);

/** A model that can only continue a text would not know where it must end. */
function checkSuffix({ suffix }: GenerationRequest, { model }: Target): void {
  if (suffix === undefined || model.traits.fillsIn) return;
  const message = `The model '${model.id}' does not support 'suffix': it only continues a text.`;
  throw new GatewayError('invalid_request', message, { param: 'suffix' });
}

/** A model that cannot search would invent its findings, so a search that is asked for is not left out. */
function checkWebSearch({ webSearch }: GenerationRequest, target: Target, generation: Generation): void {
  if (!webSearch || canSearch(target, generation)) return;
  const message = `The model '${target.model.id}' does not support tools of type '${webSearch.type}': leave the search out, declare it beside functions with tool_choice 'auto', or choose a model that searches.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(webSearch, 'type') });
}
