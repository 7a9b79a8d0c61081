/**
 * The schema version of an item: a number, in an attribute with a short name. Items without one have version 1, so that no item grows
 * before a schema changes. A reader refuses what a later version of the gateway wrote: what it does not know may restrict a key, or change a price.
 */
import { DamagedItem } from '../../core/ports/damaged-item.ts';

export const versionAttribute = 'v';

/** The latest schema version that this version reads. */
export const latestVersion = 1;

type Attributes = Readonly<Record<string, unknown>>;

export class LaterItem extends DamagedItem {
  override readonly name = 'LaterItem';

  constructor(version: unknown) {
    const shown = typeof version === 'number' ? `schema version ${version}` : 'an unknown schema version';
    super(
      `An item of the database has ${shown}, and this version of the gateway reads schema versions up to ${latestVersion}. Deploy the later version again.`,
    );
  }
}

export function isLater({ [versionAttribute]: version }: Attributes): boolean {
  return version !== undefined && !(typeof version === 'number' && version <= latestVersion);
}

/** Throws LaterItem. */
export function refuseLater<Item extends Attributes>(item: Item): Item {
  if (isLater(item)) throw new LaterItem(item[versionAttribute]);
  return item;
}

/** The condition of a write that leaves items of a later schema version as they are. */
export const notLater = {
  expression: 'attribute_not_exists(#version) OR #version <= :version',
  names: { '#version': versionAttribute },
  values: { ':version': latestVersion },
};
