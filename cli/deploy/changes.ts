/** Which settings a deployment changes. */
import type { GivenSettings } from '../../infra/settings/given.ts';
import { settingRows } from '../../infra/settings/rows.ts';

export interface SettingChange {
  readonly name: string;
  /** `undefined` where it is, or will be, not given. */
  readonly deployed: string | undefined;
  readonly next: string | undefined;
  /** The name to give it by: settings are renamed. `undefined` if this version has none. */
  readonly nameNow: string | undefined;
}

/** By name. A setting that is given as its default is as one that is not given. */
export function changesOf(
  deployed: GivenSettings,
  next: GivenSettings,
  defaults: GivenSettings,
): readonly SettingChange[] {
  const names = [...new Set([...deployed.keys(), ...next.keys()])].sort();
  const valueIn = (given: GivenSettings, name: string) => given.get(name) ?? defaults.get(name) ?? '';
  return names
    .filter((name) => valueIn(deployed, name) !== valueIn(next, name))
    .map((name) => ({
      name,
      deployed: deployed.get(name),
      next: next.get(name),
      nameNow: settingRows.find((row) => row.name === name || row.formerly === name)?.name,
    }));
}

/** Settings that were deployed, and would go back to their defaults only because they are not given. */
export const reverted = (changes: readonly SettingChange[], next: GivenSettings): readonly SettingChange[] =>
  changes.filter(
    (change) => change.next === undefined && (change.nameNow === undefined || !next.has(change.nameNow)),
  );
