/**
 * Which targets a request may be sent to, in order: the primary, the caller's fallbacks, then other deployments of the
 * primary; at most three. Those that keep failing come last, those that the gateway cannot call are left out.
 */
import { GatewayError } from '../core/errors.ts';
import type { Model, Target } from '../core/model.ts';
import type { ModelEndpoint } from '../core/operations.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import type { Health } from './health.ts';
import { modelNotFound } from './model-not-found.ts';
import { failingLast, preferred } from './preference.ts';

const maxTargets = 3;

/** What the gateway can do with a target: call it, have the local sandbox play it, or neither. */
export type Availability = 'real' | 'sandbox' | 'absent';

export interface PlanParts {
  readonly catalog: Catalog;
  readonly health: Health;
  readonly availability: (target: Target) => Promise<Availability>;
}

/** An input modality that a request has. */
export interface Need {
  readonly modality: string;
  /** The field that has it; absent: the request as such. */
  readonly param?: string;
}

export interface PlanRequest {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly endpoint: ModelEndpoint;
  readonly needs: readonly Need[];
  /** Whether the caller may use a model, by its id. */
  readonly isAllowed?: (id: string) => boolean;
  /** Requests of one session are sent to one deployment. */
  readonly session?: string | undefined;
}

/** The record of fallbacks that will not be tried, in the form of any other change of the request. */
export interface FallbackChange {
  readonly param: 'extra.fallbacks';
  readonly action: 'override';
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly reason: string;
}

export interface Plan {
  /** Never empty. */
  readonly targets: readonly [Target, ...Target[]];
  readonly changes: readonly FallbackChange[];
}

/** Rejects with GatewayError for a model, or a fallback, that is unknown, not allowed, or cannot do what is needed. */
export async function plan(parts: PlanParts, request: PlanRequest): Promise<Plan> {
  const { catalog } = parts;
  const primary = await findCapable(catalog, request.model, 'model', request);
  const named = await Promise.all(
    request.fallbacks.map((id, index) => findCapable(catalog, id, `extra.fallbacks.${index}`, request)),
  );
  const distinct = named.filter((model, index) => isFirst(model, index, [primary, ...named]));
  const [ofPrimary, ...ofFallbacks] = await Promise.all(
    [primary, ...distinct].map((model) => callable(parts, model, request.session)),
  );
  const served = ofFallbacks.flatMap(([first]) => first ?? []);
  const [first, ...rest] = ofPrimary ?? [];
  const ordered = [first, ...served, ...rest].filter((target) => target !== undefined).slice(0, maxTargets);
  const [head, ...tail] = failingLast(ordered, parts.health);
  const tried = served.filter((target) => ordered.includes(target));
  return {
    // If nothing can be called, the requested model's own failure is reported.
    targets: head ? [head, ...tail] : [firstTarget(primary)],
    changes: [
      ...dropped(named, distinct, 'Each model is tried once.'),
      ...dropped(distinct, modelsOf(served), 'No credentials are configured for the providers of the model.'),
      ...dropped(modelsOf(served), modelsOf(tried), `A request is sent to at most ${maxTargets} targets.`),
    ],
  };
}

/** `models` starts with the primary, so the fallback at `index` is at `index + 1` there. */
function isFirst({ id }: Model, index: number, models: readonly Model[]): boolean {
  return models.findIndex((model) => model.id === id) === index + 1;
}

/**
 * The deployments of a model that the gateway can call, the preferred one first. The sandbox is used only for a model without
 * a real deployment: its text must not replace an answer that a real provider failed to give.
 */
async function callable(
  { health, availability }: PlanParts,
  model: Model,
  session: string | undefined,
): Promise<readonly Target[]> {
  const checked = await Promise.all(
    model.deployments.map(async (deployment) => {
      const target = { model, deployment };
      return { target, is: await availability(target) };
    }),
  );
  const best = checked.some(({ is }) => is === 'real') ? 'real' : 'sandbox';
  const targets = checked.filter(({ is }) => is === best).map(({ target }) => target);
  return preferred(targets, session, health);
}

function firstTarget(model: Model): Target {
  const [deployment] = model.deployments;
  if (!deployment) throw new GatewayError('internal', `The model '${model.id}' has no deployment.`);
  return { model, deployment };
}

function modelsOf(targets: readonly Target[]): readonly Model[] {
  return targets.map(({ model }) => model);
}

/** The record of a step that made the list of fallbacks shorter; none where it did not. */
function dropped(
  before: readonly Model[],
  after: readonly Model[],
  reason: string,
): readonly FallbackChange[] {
  if (before.length === after.length) return [];
  const [from, to] = [before, after].map((models) => models.map(({ id }) => id));
  return [{ param: 'extra.fallbacks', action: 'override', before: from ?? [], after: to ?? [], reason }];
}

async function findCapable(
  catalog: Catalog,
  id: string,
  param: string,
  { endpoint, needs, isAllowed }: PlanRequest,
): Promise<Model> {
  const model = await catalog.find(id);
  if (!model || model.status === 'inactive' || model.status === 'retired') {
    throw await modelNotFound(catalog, id, model, param);
  }
  if (isAllowed?.(model.id) === false) {
    const message = `This API key has no permission for the model '${id}'.`;
    throw new GatewayError('permission_denied', message, { param, code: 'model_not_allowed' });
  }
  if (!model.endpoints.includes(endpoint)) {
    const message = `The model '${id}' does not support ${endpoint}. It supports: ${model.endpoints.join(', ')}.`;
    throw new GatewayError('unsupported_operation', message, { param });
  }
  const missing = needs.find(({ modality }) => !model.modalities.input.includes(modality));
  if (missing) {
    const message = `The model '${id}' does not accept ${missing.modality} input.`;
    // The caller can leave the part out as well as choose another model; of a fallback, its index is what they look for.
    const field = param === 'model' ? (missing.param ?? param) : param;
    throw new GatewayError('invalid_request', message, { param: field, code: 'unsupported_modality' });
  }
  return model;
}
