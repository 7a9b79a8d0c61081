/**
 * What a row of `docs/reference/settings.md` states about one environment variable: its name, what it means, and what counts where
 * it is absent.
 */
export type SettingRow = readonly [name: string, meaning: string, absent: string];

/** The variables of one part of the gateway. */
export interface SettingGroup {
  readonly title: string;
  readonly introduction: string;
  readonly rows: readonly SettingRow[];
}
