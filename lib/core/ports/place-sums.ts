/** What is known of the calls of each place lately. */

/** The calls of one model at one place in a time. */
export interface PlaceSum {
  readonly provider: string;
  readonly region: string;
  /** The model's id in the catalog. */
  readonly model: string;
  readonly attempts: number;
  /** The attempts that failed, by the code of the error table. */
  readonly failures: Readonly<Record<string, number>>;
  /** In Unix seconds. */
  readonly lastFailureAt?: number;
}

export interface PlaceSums {
  /** Of the hours from this Unix second on, at most one row for each model at a place; rejects if they cannot be read. */
  since(seconds: number): Promise<readonly PlaceSum[]>;
}
