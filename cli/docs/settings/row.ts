/** What a row of `docs/reference/settings.md` states about one environment variable. */
export interface SettingRow {
  readonly name: string;
  readonly meaning: string;
  /** What counts where the variable is absent. */
  readonly absent: string;
}

/** The variables of one part of the gateway. */
export interface SettingGroup {
  readonly title: string;
  readonly introduction: string;
  readonly rows: readonly SettingRow[];
}
