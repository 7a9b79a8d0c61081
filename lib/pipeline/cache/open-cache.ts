/**
 * The cached answer to one request: looked up after its targets are planned, since what the key may use is checked there, and before
 * anything is reserved. Loaded with the first request that wants one.
 */
import {
  type CacheBypass,
  type CacheVerdict,
  type CacheWish,
  defaultCacheTtl,
  maxCacheTtl,
  mergedSettings,
} from '../../core/caching.ts';
import type { Model, Target } from '../../core/catalog/model.ts';
import type { Call } from '../../core/endpoint.ts';
import { asObject, type JsonObject } from '../../core/formats/json-object.ts';
import { policyVersions } from '../../core/guardrails/applied.ts';
import type { CachedAnswer, CachePlace } from '../../core/ports/answer-cache.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import { noUse } from '../../core/ports/metering.ts';
import { dataPoliciesOf, mayStore } from '../../core/tenancy.ts';
import type { Plan } from '../../routing/plan.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { PipelineParts } from '../parts.ts';
import { keepsNothing } from '../plan-targets.ts';
import { canonicalJson } from './canonical-json.ts';

/** What an operation says of a request. */
export interface Cacheable {
  readonly endpoint: string;
  readonly wish: CacheWish | undefined;
  readonly preferences: ProviderPreferences | undefined;
  /** The guardrails that the request asks for. What is kept is what a provider answered: they look at it each time. */
  readonly guardrails: readonly string[] | undefined;
  /** Why the operation cannot have its answer cached. */
  readonly bypass: CacheBypass | undefined;
  /** All of the request that decides the answer. */
  readonly asked: () => JsonObject;
}

/** The tokens of an answer, as they were when it was made. */
interface ReplayedTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An answer as its operation keeps it. */
export interface KeptAnswer {
  readonly target: Target;
  readonly tokens: ReplayedTokens;
  readonly body: JsonObject;
}

export interface OpenedCache {
  readonly verdict: CacheVerdict;
  /** Present with a hit. */
  readonly found?: KeptAnswer;
  /** What is kept when the request has ended with a whole answer; undefined: nothing. */
  readonly keep: (answer: () => KeptAnswer | undefined) => void;
}

/** Part of the hash of each request: entries of another version are not found. */
const formVersion = 1;

/** Of what decides an answer, in characters: more takes too long to hash. */
const maxMaterialLength = 1024 * 1024;

/** How long a request waits for an equal one. */
const followMs = 60_000;

/** Undefined if neither the request nor its key or tenant asks for a cached answer. Rejects where the request's limits do not allow another one. */
export async function openCache(
  parts: Pick<PipelineParts, 'answerCache' | 'catalog' | 'now'>,
  planned: Plan,
  cacheable: Cacheable,
  call: Call<unknown>,
): Promise<OpenedCache | undefined> {
  const { key } = call;
  if (!key) return undefined;
  const { wish = {} } = cacheable;
  const settings = mergedSettings(key.keyPolicy?.cache, key.tenantPolicy?.cache);
  const { isOn = settings.default ?? false } = wish;
  if (!isOn) return wish.isOn === false ? passedBy('request') : undefined;
  const bypass = settings.off ? 'off' : barredBy(cacheable, call);
  if (bypass) return passedBy(bypass);
  const place = await placeOf(parts, planned, cacheable, key).catch(() => 'unavailable' as const);
  if (typeof place === 'string') return passedBy(place);
  const ttl = Math.min(wish.ttl ?? settings.ttl ?? defaultCacheTtl, settings.maxTtl ?? maxCacheTtl);
  const lookup: Lookup = { place, planned, ttl, call, now: parts.now };
  if (wish.refresh) return missed(lookup);
  const stored = await place.find();
  if (stored === 'timeout' || stored === 'unavailable') return passedBy(stored);
  const hit = stored === 'none' ? undefined : await hitOf(stored, lookup);
  return hit ?? (await followed(lookup)) ?? missed(lookup);
}

/** What `openCache` would find: nothing is counted, kept or waited for. */
export async function cacheVerdict(
  parts: Pick<PipelineParts, 'answerCache' | 'catalog' | 'now'>,
  planned: Plan,
  cacheable: Cacheable,
  { atEnd: _, ...call }: Call<unknown>,
): Promise<CacheVerdict | undefined> {
  const looking = { ...call, admit: async () => undefined, facts: { attempts: [] } };
  return (await openCache(parts, planned, cacheable, looking))?.verdict;
}

interface Lookup {
  readonly place: CachePlace;
  readonly planned: Plan;
  /** In seconds. */
  readonly ttl: number;
  readonly call: Call<unknown>;
  readonly now: () => number;
}

const passedBy = (reason: CacheBypass): OpenedCache => ({
  verdict: { status: 'bypass', reason },
  keep: () => {},
});

function barredBy({ bypass, preferences }: Cacheable, call: Call<unknown>): CacheBypass | undefined {
  if (bypass) return bypass;
  if (keepsNothing({ preferences }, call)) return 'zero_retention';
  return mayStore(call.key) ? undefined : 'no_store';
}

async function placeOf(
  { answerCache, catalog }: Pick<PipelineParts, 'answerCache' | 'catalog'>,
  planned: Plan,
  { endpoint, wish, preferences, guardrails, asked }: Cacheable,
  key: FoundApiKey,
): Promise<CachePlace | CacheBypass> {
  const model = await catalog.find(planned.requestedId);
  if (!answerCache || !model) return 'unavailable';
  const material = canonicalJson({
    formVersion,
    tenant: key.tenant,
    epoch: key.tenantPolicy?.cacheEpoch,
    scope: scopeOf(wish, key),
    guardrails: policyVersions(key, guardrails),
    endpoint,
    ...placementOf({ model, targets: reachable(planned), preferences, key }),
    asked: asked(),
  });
  if (material.length > maxMaterialLength) return 'too_large';
  return await (await answerCache()).place(material);
}

function scopeOf({ scope = 'key', user }: CacheWish = {}, { id, family = id }: FoundApiKey): JsonObject {
  if (scope === 'user') return { user };
  return scope === 'key' ? { key: family } : {};
}

interface Placement {
  readonly model: Model;
  readonly targets: readonly Target[];
  readonly preferences: ProviderPreferences | undefined;
  readonly key: FoundApiKey;
}

/** What decides where a request goes, and what is done with its answer. Not the order of its targets, which changes with their health. */
const placementOf = ({ model, targets, preferences, key }: Placement): JsonObject => ({
  model,
  credentials: [...new Set(targets.map(({ credential }) => credential?.id ?? ''))].sort(),
  preferences,
  dataPolicies: dataPoliciesOf(key),
});

/** Undefined where the answer is too old for this request, or came from where it would not be sent. */
async function hitOf(cached: CachedAnswer, lookup: Lookup): Promise<OpenedCache | undefined> {
  const { planned, ttl, call, now } = lookup;
  const age = Math.max(0, Math.floor((now() - cached.storedAt) / 1_000));
  const { provider, region, credential, tokens, body } = asObject<StoredAnswer>(cached.answer);
  const target = reachable(planned).find(
    (one) =>
      one.model.id === planned.requestedId &&
      one.deployment.provider === provider &&
      one.deployment.region === region &&
      one.credential?.id === credential,
  );
  if (age >= ttl || !target) return undefined;
  await call.admit(() => noUse);
  const { promptTokens, completionTokens } = tokens as ReplayedTokens;
  const { model, deployment } = target;
  call.facts.model = model.id;
  call.facts.cached = {
    of: cached.requestId,
    target: { model: model.id, provider: deployment.provider, region: deployment.region },
    promptTokens,
    completionTokens,
  };
  return {
    verdict: { status: 'hit', age, ttl, source: cached.requestId },
    found: { target, tokens: { promptTokens, completionTokens }, body: asObject(body) },
    keep: () => {},
  };
}

/** Where the request may go: a target that keeps failing has moved back, or has lost its place among the first. */
const reachable = ({ targets, skipped }: Plan): readonly Target[] => [
  ...targets,
  ...skipped.flatMap(({ target, reason }) => (reason === 'failing' ? target : [])),
];

/** The answer that an equal request of this process is about to get; undefined if there is none, or it gets none that can be kept. */
async function followed(lookup: Lookup): Promise<OpenedCache | undefined> {
  const { place, call } = lookup;
  const following = call.atEnd && place.follow();
  if (!following) return undefined;
  const cached = await within(following, call.signal);
  return cached && (await hitOf(cached, lookup));
}

async function within<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(followMs)]);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  ended.addEventListener('abort', end);
  if (ended.aborted) end();
  return await Promise.race([work, promise]).finally(() => ended.removeEventListener('abort', end));
}

function missed({ place, planned, ttl, call, now }: Lookup): OpenedCache {
  let answerOf: () => KeptAnswer | undefined = () => undefined;
  call.atEnd?.(async ({ isComplete }) => {
    // Guardrails look at what the provider answered, which is whole.
    const isBlocked = call.facts.finishReasons?.includes('content_filter');
    const kept = isComplete && !isBlocked ? answerOf() : undefined;
    const isOwn = kept?.target.model.id === planned.requestedId;
    const cached = isOwn ? storedOf(kept, call.requestId, { storedAt: now(), ttl }) : undefined;
    const stored = cached && place.put(cached).catch(() => false);
    place.land(cached, stored);
    await stored;
  });
  return {
    verdict: { status: 'miss', ttl },
    keep(answer) {
      answerOf = answer;
    },
  };
}

/** As it is stored. */
interface StoredAnswer {
  readonly provider: string;
  readonly region: string;
  /** The tenant's own that was used. */
  readonly credential?: string | undefined;
  readonly tokens: ReplayedTokens;
  readonly body: JsonObject;
}

function storedOf(
  { target: { deployment, credential }, tokens, body }: KeptAnswer,
  requestId: string,
  { storedAt, ttl }: { readonly storedAt: number; readonly ttl: number },
): CachedAnswer {
  const { provider, region } = deployment;
  const answer: StoredAnswer = { provider, region, credential: credential?.id, tokens, body };
  return { requestId, storedAt, expiresAt: storedAt + ttl * 1_000, answer: { ...answer } };
}
