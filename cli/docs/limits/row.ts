/** What a row of `docs/limits.md` states about one bound. */

export type LimitUnit = 'bytes' | 'characters' | 'ms' | 'seconds' | 'count';

export interface LimitRow {
  /** What is limited, in words that also name what is counted. */
  readonly what: string;
  /** The exported constant, as `{ maxBodyBytes }`: its name and its value come from the code, and cannot differ from it. */
  readonly limit: Readonly<Record<string, number>>;
  /** The file that exports it. */
  readonly file: string;
  readonly unit: LimitUnit;
  /** What a caller or an operator sees when it is passed. */
  readonly onExceed: string;
}

/** The rows of one part of the gateway. */
export interface LimitArea {
  readonly title: string;
  readonly rows: readonly LimitRow[];
}
