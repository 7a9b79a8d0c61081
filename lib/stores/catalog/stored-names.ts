/** How the items with the names of models are stored, and their reading. */
import type { Model } from '../../core/catalog/model.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { AliasTarget } from '../../core/names/names.ts';
import type { StoredItem } from '../dynamodb/table.ts';

export type NamedModel = Pick<Model, 'id' | 'aliases'>;

export interface StoredNames {
  /** The ids of the models that may have a name, by name. */
  readonly models: ReadonlyMap<string, readonly string[]>;
  readonly aliases: ReadonlyMap<string, readonly AliasTarget[]>;
}

export const keys = { seed: 'names#seed', operator: 'names#operator' } as const;

export function readNames({ models, aliases }: StoredItem): StoredNames {
  return { models: readMap(models, isText), aliases: readMap(aliases, isTarget) };
}

/** Lists by name. An element of an unknown shape was written by a newer gateway, and is left out. */
function readMap<Element>(
  value: unknown,
  isElement: (element: unknown) => element is Element,
): ReadonlyMap<string, readonly Element[]> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.map(([name, list]) => [name, Array.isArray(list) ? list.filter(isElement) : []] as const),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

const conditions = ['tools', 'images', 'inputTokensAbove'];

function isTarget(value: unknown): value is AliasTarget {
  if (!isJsonObject(value)) return false;
  const { model, weight, when } = value;
  const isKnown =
    when === undefined ||
    (isJsonObject(when) && Object.keys(when).every((condition) => conditions.includes(condition)));
  return typeof model === 'string' && typeof weight === 'number' && weight > 0 && isKnown;
}
