/** One kind of call of a request to the tables. */
export interface TableCall {
  readonly table: 'access' | 'catalog' | 'state' | 'usage';
  readonly action: 'GetItem' | 'PutItem' | 'UpdateItem' | 'Query';
  readonly what: string;
  /** Average number of calls for one request. */
  readonly times: number;
  /** Write or read units of each call. */
  readonly units: number;
  /** Whether the aggregator makes it, after the answer. */
  readonly isLater?: true;
}
