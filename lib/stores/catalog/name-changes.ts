/** Changes of the items with the names of models. */
import { type AliasTarget, namesOf } from '../../core/names/names.ts';
import { isAbsent, type Table } from '../dynamodb/table.ts';
import { keys, type NamedModel, readNames, type StoredNames } from './stored-names.ts';

export interface NameChanges {
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

/** An item of DynamoDB has at most 400 KB. */
const maxOperatorNames = 3_000;
const maxAliases = 300;

/** If another process changed the item meanwhile, the change is applied again to the new one. */
const maxTries = 5;

export function createNameChanges(items: Table): NameChanges {
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
