/** What is known of the calls of each deployment lately. */

/** The calls of one model at one deployment in a time. */
export interface DeploymentSum {
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

export interface DeploymentSums {
  /** Of the hours from this Unix second on, at most one row for each model at a deployment; rejects if they cannot be read. */
  since(seconds: number): Promise<readonly DeploymentSum[]>;
}
