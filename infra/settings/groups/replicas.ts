/** The regions that share the catalog and the keys of a gateway. */
import type { TableName } from '../../../lib/core/tables.ts';
import { listOf, matching, type SettingRow, type SettingText } from '../values.ts';
import type { TableSettings } from './tables.ts';

export interface ReplicaSettings {
  /** `replicaRegions`: where else the tables of models and of keys are; nowhere by default. */
  readonly replicaRegions: readonly string[];
  /** `creditRegion`: the one region that serves tenants with credit; by default every region is its own gateway. */
  readonly creditRegion: string;
}

/**
 * What replicas share. Of two writes to one item, the later one stays: that is right for models and keys, which people change, and
 * wrong for counters, of which it would lose one. Stored responses stay where they are.
 */
export const sharedTables: readonly TableName[] = ['catalog', 'access'];

const region = /^[a-z]{2}(?:-[a-z]+)+-[0-9]$/;

export const replicaRows: readonly SettingRow[] = [
  {
    name: 'replicaRegions',
    meaning: 'Other regions that have the tables of models and of keys too',
    form: 'list',
  },
  {
    name: 'creditRegion',
    meaning: 'The one region that serves tenants with credit, of several that share their keys',
  },
];

/** Throws an Error that names the setting at fault. */
export function readReplicas(
  text: SettingText,
  { kmsKeyArn, adopted }: Pick<TableSettings, 'kmsKeyArn' | 'adopted'>,
): ReplicaSettings {
  const regions = listOf(text, 'replicaRegions');
  for (const one of regions) matching(() => one, 'replicaRegions', region, 'a list of regions');
  if (new Set(regions).size < regions.length)
    throw new Error('The setting "replicaRegions" names a region twice.');
  const taken = sharedTables.find((name) => adopted.has(name));
  if (regions.length > 0 && taken !== undefined)
    throw new Error(
      `The settings "replicaRegions" and "tables.${taken}" exclude each other: replicas of a table that the stack does not make are added to that table itself.`,
    );
  if (regions.length > 0 && kmsKeyArn && !kmsKeyArn.includes(':key/mrk-'))
    throw new Error(
      'The setting "kmsKeyArn" must be a multi-region key (mrk-…) with replicaRegions: each replica is encrypted with the key of its own region.',
    );
  return {
    replicaRegions: regions,
    creditRegion: matching(text, 'creditRegion', region, 'a region'),
  };
}
