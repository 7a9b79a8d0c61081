/**
 * The names of models in the catalog's table: two items, so that a name is found by its key and never by reading the table.
 *
 * `names#seed` has the names of the models that ship with the gateway, and is replaced as a whole. `names#operator` has those
 * of the operator's models, and aliases. Names are only added there: whether a model still has a name is said by its row.
 */

import type { Model } from '../../core/catalog/model.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { type AliasTarget, namesOf } from '../../core/names/names.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';

type NamedModel = Pick<Model, 'id' | 'aliases'>;

export interface StoredNames {
  /** The ids of the models that may have a name, by name. */
  readonly models: ReadonlyMap<string, readonly string[]>;
  readonly aliases: ReadonlyMap<string, readonly AliasTarget[]>;
}

export interface NameStore {
  get(source: 'seed' | 'operator'): Promise<StoredNames>;
  /** Replaces the names of the models that ship with the gateway. */
  putSeed(models: readonly NamedModel[]): Promise<void>;
  /** Adds the names of an operator's models. */
  add(models: readonly NamedModel[]): Promise<void>;
  /** Sets an alias, or removes it if `targets` is undefined. Resolves with the former targets, which `check` may refuse by throwing. */
  setAlias(
    name: string,
    targets: readonly AliasTarget[] | undefined,
    check?: (before: readonly AliasTarget[] | undefined) => void,
  ): Promise<readonly AliasTarget[] | undefined>;
}

const keys = { seed: 'names#seed', operator: 'names#operator' } as const;

/** An item of DynamoDB has at most 400 KB. */
const maxOperatorNames = 3_000;
const maxAliases = 300;

/** If another process changed the item meanwhile, the change is applied again to the new one. */
const maxTries = 5;

export function createNameStore(options: TableOptions): NameStore {
  const items = openTable(options);

  let last: Promise<unknown> = Promise.resolve();

  /** Changes of one process follow each other: they would only disturb each other. */
  function change(make: Parameters<typeof changeNow>[0]): ReturnType<typeof changeNow> {
    const next = last.then(() => changeNow(make));
    last = next.catch(() => {});
    return next;
  }

  /** Applies a change to the operator's item; undefined: there is nothing to change. Resolves with the item before. */
  async function changeNow(make: (names: StoredNames) => StoredNames | undefined): Promise<StoredNames> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const item = (await items.get(keys.operator, { consistent: true })) ?? {};
      const known = readNames(item);
      const changed = make(known);
      if (!changed) return known;
      checkSize(changed);
      const version = typeof item.version === 'number' ? item.version : 0;
      const fields = { ...fieldsOf(changed), version: version + 1 };
      if (await items.put(keys.operator, fields, whereVersion(version))) return known;
    }
    throw new Error('The names of the catalog were changed by another process. Try again.');
  }

  return {
    get: async (source) => readNames((await items.get(keys[source])) ?? {}),
    async putSeed(models) {
      const names = { models: withNames(new Map(), models), aliases: new Map() };
      await items.put(keys.seed, fieldsOf(names));
    },
    async add(added) {
      await change(({ models, aliases }) => {
        const isKnown = added.every((model) =>
          namesOf(model).every((name) => models.get(name)?.includes(model.id)),
        );
        return isKnown ? undefined : { models: withNames(models, added), aliases };
      });
    },
    async setAlias(name, targets, check) {
      const before = await change(({ models, aliases }) => {
        check?.(aliases.get(name));
        if (!targets && !aliases.has(name)) return undefined;
        const others = [...aliases].filter(([other]) => other !== name);
        return { models, aliases: new Map([...others, ...(targets ? [[name, targets] as const] : [])]) };
      });
      return before.aliases.get(name);
    },
  };
}

const whereVersion = (version: number) =>
  version === 0
    ? isAbsent
    : {
        expression: '#version = :version',
        names: { '#version': 'version' },
        values: { ':version': version },
      };

function withNames(known: StoredNames['models'], added: readonly NamedModel[]): StoredNames['models'] {
  const models = new Map(known);
  for (const model of added) {
    for (const name of namesOf(model)) {
      models.set(name, [...new Set([...(models.get(name) ?? []), model.id])]);
    }
  }
  return models;
}

function checkSize({ models, aliases }: StoredNames): void {
  if (models.size > maxOperatorNames)
    throw new Error(`An operator's models can have at most ${maxOperatorNames} names.`);
  if (aliases.size > maxAliases) throw new Error(`There can be at most ${maxAliases} aliases.`);
}

const fieldsOf = ({ models, aliases }: StoredNames) => ({
  models: Object.fromEntries(models),
  aliases: Object.fromEntries(aliases),
});

function readNames({ models, aliases }: StoredItem): StoredNames {
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
