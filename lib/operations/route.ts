/**
 * What every operation that calls a model shares: plan the targets, ask one after the other until one answers, note for
 * log and health how it went. What is asked, and what an answer is, is the operation's matter.
 */

import { priceOf } from '../core/accounting/price.ts';
import type { Call, RequestFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/model.ts';
import type { ModelEndpoint } from '../core/operations.ts';
import type { Catalog, MaxUse } from '../core/ports.ts';
import { allowsModel } from '../core/tenancy.ts';
import { highestCost, type MaxTokens } from '../metering/cost.ts';
import type { Change } from '../normalization/rule.ts';
import type { Connections } from '../pipeline/account.ts';
import { type Provider, type Providers, rootOf } from '../providers/provider.ts';
import { type Answered, firstAnswer } from '../routing/attempt.ts';
import type { Health } from '../routing/health.ts';
import { type Availability, type Need, plan } from '../routing/plan.ts';

export interface RouteParts {
  readonly catalog: Catalog;
  readonly providers: Providers;
  readonly connections: Connections;
  readonly health: Health;
  readonly now: () => number;
}

/** What the caller asked of the way of their request. */
export interface Wanted {
  readonly endpoint: ModelEndpoint;
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly needs: readonly Need[];
}

/** Something of its own for each target of a request, made when it is first asked for. */
export function ofEach<Own>(make: () => Own): (target: Target) => Own {
  const owned = new Map<Target, Own>();
  return (target) => {
    const own = owned.get(target) ?? make();
    owned.set(target, own);
    return own;
  };
}

/** How an operation treats a target. */
export interface Asking<Answer> {
  /** Whether the provider has what the request needs; one that has not is passed over. */
  readonly canServe: (provider: Provider, target: Target) => boolean;
  /** Throws GatewayError for a target that can never do what is asked. Absent: nobody checks before the target does. */
  readonly check?: ((target: Target, primary: Target) => void) | undefined;
  readonly ask: (target: Target, primary: Target, limitMs: number | undefined) => Promise<Answer>;
  /** How many tokens the request may come to at a target: never fewer than it will. */
  readonly maxTokens: (target: Target) => MaxTokens;
  /** How long a target that began to answer may show nothing while another one is left. */
  readonly firstTokenMs?: (target: Target) => number | undefined;
}

export interface Routed<Answer> extends Answered<Answer> {
  /** What was changed of the caller's fallbacks. */
  readonly changes: readonly Change[];
}

interface PrepareParts extends Pick<RouteParts, 'catalog' | 'providers'> {
  readonly connections: Pick<Connections, 'findAccess' | 'preconnect'>;
}

/**
 * Starts the read that every plan begins with. The plan shares it, and is told of its failure. While it is under way there is
 * time to get ready to call a provider: most makers of models also serve them, so that it is likely to be theirs.
 */
export function prepare(
  { catalog, providers, connections }: PrepareParts,
  { model }: Pick<Wanted, 'model'>,
): void {
  catalog.find(model).catch(() => {});
  const [maker = ''] = model.split('/', 1);
  // Only when what was asked of the network has left.
  if (!providers.get(maker))
    setImmediate(() => void makeReady(providers, connections, maker).catch(() => {}));
}

/** Loads a provider's code and credentials, and opens a connection to where it is called. Makers' own hosts have no regions. */
async function makeReady(
  providers: Providers,
  { findAccess, preconnect }: PrepareParts['connections'],
  maker: string,
): Promise<void> {
  // The maker is only a guess: most are no provider, and a guess must not read the database.
  const provider = await providers.loadBuiltIn(maker);
  if (!provider) return;
  const access = await findAccess(maker);
  if (provider.isConfigured(access)) preconnect?.(rootOf(provider, '', access));
}

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export async function route<Answer>(
  parts: RouteParts,
  wanted: Wanted,
  asking: Asking<Answer>,
  call: Call<unknown>,
): Promise<Routed<Answer>> {
  const { facts, signal, remainingMs } = call;
  const { health, now } = parts;
  facts.requestedModel = wanted.model;
  facts.model = wanted.model;
  const { targets, changes } = await planFor(parts, wanted, asking, call);
  const [primary] = targets;
  if (wanted.fallbacks.length > 0 && asking.check) checkFallbacks(targets, wanted, asking.check);
  await call.admit(() => maxUse(targets, asking.maxTokens, now() / 1000));
  const answered = await firstAnswer({
    targets,
    ask(target, limitMs) {
      noteTarget(facts, target, now() / 1000);
      call.begin();
      return asking.ask(target, primary, limitMs);
    },
    ...(asking.firstTokenMs && { firstTokenMs: asking.firstTokenMs }),
    now,
    remainingMs,
    signal,
    // Once for a request, however often it tried: what counts is how many callers were failed.
    onFailed: health.failed,
  }).catch((error) => {
    throw reasonOf(signal, error);
  });
  return { ...answered, changes };
}

function noteTarget(facts: RequestFacts, target: Target, seconds: number): void {
  facts.attempts = (facts.attempts ?? 0) + 1;
  facts.model = target.model.id;
  facts.provider = target.deployment.provider;
  facts.region = target.deployment.region;
  const price = priceOf(target, seconds);
  if (price) facts.price = price;
  else delete facts.price;
}

/** What the dearest target may come to: which one answers is known only when it is too late to refuse. */
function maxUse(
  targets: readonly Target[],
  maxTokens: (target: Target) => MaxTokens,
  seconds: number,
): MaxUse {
  const uses = targets.map((target): MaxUse => {
    const most = maxTokens(target);
    const cost = highestCost(most, priceOf(target, seconds)?.price);
    return { inputTokens: most.input, outputTokens: most.output, cost };
  });
  const costs = uses.map(({ cost }) => cost);
  return {
    inputTokens: Math.max(...uses.map(({ inputTokens }) => inputTokens)),
    outputTokens: Math.max(...uses.map(({ outputTokens }) => outputTokens)),
    cost: costs.some((cost) => cost === null) ? null : Math.max(...costs.map((cost) => cost ?? 0)),
  };
}

function planFor<Answer>(
  parts: RouteParts,
  { needs, ...wanted }: Wanted,
  asking: Asking<Answer>,
  call: Call<unknown>,
) {
  const { catalog, health } = parts;
  const availability = (target: Target) => availabilityOf(parts, target, asking.canServe);
  // Two tenants may call their sessions alike.
  const session = call.sessionId === undefined ? undefined : `${call.key?.tenant} ${call.sessionId}`;
  const { keyPolicy = {}, tenantPolicy = {} } = call.key ?? {};
  const isAllowed = (id: string) => allowsModel(keyPolicy, id) && allowsModel(tenantPolicy, id);
  return plan({ catalog, health, availability }, { ...wanted, needs, session, isAllowed });
}

/**
 * A fallback that cannot do what is asked is told at once, by its index: found only when the primary fails, it would turn
 * an outage into a riddle.
 */
function checkFallbacks(
  targets: readonly [Target, ...Target[]],
  { model, fallbacks }: Wanted,
  check: (target: Target, primary: Target) => void,
): void {
  for (const target of targets) {
    try {
      check(target, targets[0]);
    } catch (error) {
      const index = fallbacks.indexOf(target.model.id);
      const isFallback = error instanceof GatewayError && index >= 0 && target.model.id !== model;
      throw isFallback ? error.with({ param: `extra.fallbacks.${index}` }) : error;
    }
  }
}

/** Where the credentials cannot be read, they are as good as absent: another target may still answer. */
async function availabilityOf(
  { providers, connections }: RouteParts,
  target: Target,
  canServe: (provider: Provider, target: Target) => boolean,
): Promise<Availability> {
  const name = target.deployment.provider;
  const provider = await providers.load(name);
  if (!provider || !canServe(provider, target)) return 'absent';
  const access = await connections.findAccess(name).catch(() => undefined);
  if (!access || !provider.isConfigured(access)) return 'absent';
  return access.sandbox ? 'sandbox' : 'real';
}

/** Where the request itself was ended, what ended it says more than the exchange that broke off because of it. */
export function reasonOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted && signal.reason instanceof GatewayError ? signal.reason : error;
}
