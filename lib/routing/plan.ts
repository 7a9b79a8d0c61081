/**
 * Which targets a request may be sent to, in order: the primary, the caller's fallbacks, then other deployments of the
 * primary; at most three.
 */
import { GatewayError } from '../core/errors.ts';
import type { Model, Target } from '../core/model.ts';
import type { Endpoint } from '../core/operations.ts';
import type { Catalog } from '../core/ports.ts';
import { modelNotFound } from './model-not-found.ts';

export const mostTargets = 3;

export interface PlanRequest {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly endpoint: Endpoint;
  /** Input modalities the request needs. */
  readonly needs: readonly string[];
}

export async function plan(catalog: Catalog, request: PlanRequest): Promise<readonly Target[]> {
  const primary = await findCapable(catalog, request.model, 'model', request);
  const fallbacks = await Promise.all(
    request.fallbacks.map((id, index) => findCapable(catalog, id, `extra.fallbacks.${index}`, request)),
  );
  const [first, ...others] = targetsOf(primary);
  const ordered = [first, ...fallbacks.map((model) => targetsOf(model)[0]), ...others];
  return ordered.filter((target) => target !== undefined).slice(0, mostTargets);
}

function targetsOf(model: Model): readonly Target[] {
  return model.deployments.map((deployment) => ({ model, deployment }));
}

async function findCapable(
  catalog: Catalog,
  id: string,
  param: string,
  { endpoint, needs }: PlanRequest,
): Promise<Model> {
  const model = await catalog.find(id);
  if (!model || model.status === 'inactive' || model.status === 'retired') {
    throw await modelNotFound(catalog, id, model, param);
  }
  if (!model.endpoints.includes(endpoint)) {
    const message = `The model '${id}' does not support this operation (${endpoint}).`;
    throw new GatewayError('unsupported_operation', message, { param });
  }
  const missing = needs.find((modality) => !model.modalities.input.includes(modality));
  if (missing) {
    const message = `The model '${id}' does not take ${missing} input.`;
    throw new GatewayError('invalid_request', message, { param, code: 'unsupported_modality' });
  }
  return model;
}
