/** The deployments of one model that a request may be sent to, and those that the caller excludes. */
import { allOf } from '../async/all-of.ts';
import type { Model, Target } from '../core/catalog/model.ts';
import type { Attempt } from './attempt.ts';
import { preferred } from './preference.ts';
import {
  excludedBy,
  type ForbiddenBy,
  inCallersOrder,
  type PriceContext,
  type ProviderPreferences,
} from './provider-preferences.ts';

/** Why what the gateway pays for is left out: a credential of the tenant's must not be replaced. */
export const ownAlone = 'own_provider_keys';

/** How many targets a request is sent to. */
export const maxTargets = 3;

/** What the gateway can do with a target: call it, have the local sandbox play it, or neither. */
export type Availability = 'real' | 'sandbox' | 'absent';

export interface DeploymentsParts {
  readonly availability: (target: Target) => Promise<Availability>;
}

export interface DeploymentsRequest {
  /** Requests of one conversation are sent to one deployment, of those that the catalog holds equal. */
  readonly conversation?: (() => string | undefined) | undefined;
  readonly preferences?: ProviderPreferences | undefined;
  /** What prices depend on; needed with preferences. */
  readonly prices?: ((target: Target) => PriceContext) | undefined;
  /** Undefined: nothing is wanted of what becomes of data. */
  readonly forbiddenBy?: ForbiddenBy | undefined;
  /** Adds targets with the tenant's own credentials, the first ones first. Absent: it has none. */
  readonly withOwn?: ((places: readonly Target[]) => Promise<readonly Target[]>) | undefined;
  /** The field of the request that a target would not honour; undefined: it honours all. */
  readonly unmetField?: ((target: Target) => string | undefined) | undefined;
}

/** Why a target is not tried. */
export type Skipped = Required<Pick<Attempt, 'target' | 'reason'>>;

export interface ModelDeployments {
  readonly model: Model;
  /** Those that the caller does not exclude, whether or not they can be called. */
  readonly allowed: readonly Target[];
  /** Those that can be called, the preferred one first. */
  readonly targets: readonly Target[];
  readonly excluded: readonly Skipped[];
}

export async function deploymentsOf(
  { availability }: DeploymentsParts,
  model: Model,
  request: DeploymentsRequest,
): Promise<ModelDeployments> {
  const { preferences = {}, prices, conversation = () => undefined, unmetField = () => undefined } = request;
  const { forbiddenBy, withOwn } = request;
  const places = model.deployments.map((deployment): Target => ({ model, deployment }));
  const targets = withOwn ? await withOwn(places) : places;
  const isOwnAlone = targets.some(({ credential }) => credential?.fallback === 'none');
  const wanted = split(targets, (target) =>
    isOwnAlone && !target.credential ? ownAlone : excludedBy(target, preferences, prices, forbiddenBy),
  );
  const callable = await callableOf(wanted.kept, availability);
  // What a provider would leave out of a request is known only of one that can be called.
  const able = split(callable, unmetField);
  const unable = able.excluded.map(({ target }) => target);
  const asked = inCallersOrder(able.kept, preferences, prices) ?? preferred(able.kept, conversation);
  const ordered = withOwn ? ownFirst(asked) : asked;
  const isAlone = preferences.allowFallbacks === false && !preferences.order;
  return {
    model,
    allowed: wanted.kept.filter((target) => !unable.includes(target)),
    targets: isAlone ? ordered.slice(0, 1) : ordered,
    excluded: [...wanted.excluded, ...able.excluded],
  };
}

const ownFirst = (targets: readonly Target[]) => [
  ...targets.filter(({ credential }) => credential),
  ...targets.filter(({ credential }) => !credential),
];

function split(targets: readonly Target[], reasonAgainst: (target: Target) => string | undefined) {
  const kept: Target[] = [];
  const excluded: Skipped[] = [];
  for (const target of targets) {
    const reason = reasonAgainst(target);
    if (reason === undefined) kept.push(target);
    else excluded.push({ target, reason });
  }
  return { kept, excluded };
}

/**
 * The sandbox is used only for a model without a real deployment: its text must not replace an answer that a real provider
 * failed to give.
 */
async function callableOf(
  targets: readonly Target[],
  availability: DeploymentsParts['availability'],
): Promise<readonly Target[]> {
  const found = await allOf(targets, availability);
  const best = found.includes('real') ? 'real' : 'sandbox';
  return targets.filter((_, index) => found[index] === best);
}
