/** A model as the public API shows it, and an alias of the operator in the same form. */
import { type Model, modelStatuses } from '../../core/model.ts';
import type { AliasTarget } from '../../core/names.ts';

/** A process uses what it has read of the catalog for as long. */
export const maxModelAgeSeconds = 60;

export function writeModel({ id, created, owner, status, modalities, endpoints, aliases }: Model): object {
  const model = { id, object: 'model', created, owned_by: owner, status, modalities, endpoints };
  return aliases && aliases.length > 0 ? { ...model, aliases } : model;
}

/**
 * An alias can do what one of its models can, because a request goes to one that can do what it needs. Undefined if none of its
 * models exists.
 */
export function writeAlias(
  name: string,
  targets: readonly AliasTarget[],
  models: ReadonlyMap<string, Model>,
): object | undefined {
  const found = targets.flatMap(({ model }) => models.get(model) ?? []);
  if (found.length === 0) return undefined;
  const union = <Value>(valuesOf: (model: Model) => readonly Value[]) => [
    ...new Set(found.flatMap(valuesOf)),
  ];
  return {
    id: name,
    object: 'model',
    created: Math.max(...found.map(({ created }) => created)),
    owned_by: 'operator',
    status: modelStatuses.find((status) => found.some((model) => model.status === status)),
    modalities: {
      input: union(({ modalities }) => modalities.input),
      output: union(({ modalities }) => modalities.output),
    },
    endpoints: union(({ endpoints }) => endpoints),
    targets: [...new Set(found.map(({ id }) => id))],
  };
}
