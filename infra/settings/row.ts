/** What is known of a setting beside its reader: for `docs/reference/deployment-settings.md`, for settings files, and for the refusal of unknown names. */
import type { Compute } from './groups/computes.ts';

/** Its default is what its reader passes to `SettingText`. */
export interface SettingRow {
  readonly name: string;
  readonly meaning: string;
  /** Its name in earlier versions, which is refused with the new one. */
  readonly formerly?: string;
  /** Where it has an effect; absent: everywhere. */
  readonly hosts?: readonly Compute[];
  /** How a settings file may also write it: `list` as an array, `map` and `tags` as an object. */
  readonly form?: SettingFormat;
}

/** On the command line: `a,b`, `a:1,b:2` and `a=1,b=2`. */
export type SettingFormat = 'list' | 'map' | 'tags';
