/** The workload whose cost is estimated, and how often it makes the gateway read what it caches. */

/** With their default sizes, in bytes. The last event of a response repeats its text, which is included in its chunks here. */
export const operations = {
  'chat-completions': { requestBytes: 6_000, answerBytes: 1_200, chunkBytes: 290, callsModels: true },
  responses: { requestBytes: 6_000, answerBytes: 4_000, chunkBytes: 240, callsModels: true },
  // Agents send long conversations: those of Claude Code begin with about 60 kB.
  messages: { requestBytes: 60_000, answerBytes: 1_600, chunkBytes: 130, callsModels: true },
  completions: { requestBytes: 2_000, answerBytes: 800, chunkBytes: 220, callsModels: true },
  embeddings: { requestBytes: 2_000, answerBytes: 9_000, chunkBytes: 0, callsModels: true },
  'responses-compact': { requestBytes: 6_000, answerBytes: 4_000, chunkBytes: 0, callsModels: true },
  'responses-retrieve': { requestBytes: 0, answerBytes: 4_000, chunkBytes: 0, callsModels: false },
  'responses-input-items': { requestBytes: 0, answerBytes: 6_000, chunkBytes: 0, callsModels: false },
  'responses-delete': { requestBytes: 0, answerBytes: 100, chunkBytes: 0, callsModels: false },
  'images-generations': { requestBytes: 500, answerBytes: 2_000_000, chunkBytes: 0, callsModels: true },
  models: { requestBytes: 0, answerBytes: 190_000, chunkBytes: 0, callsModels: false },
} as const;

export type CostedOperation = keyof typeof operations;

export const limitChoices = ['none', 'key', 'key+tenant'] as const;
type LimitChoice = (typeof limitChoices)[number];

export interface Traffic {
  readonly operation: CostedOperation;
  /** Requests per second, all month, with up to three decimals. */
  readonly rps: number;
  /** Seconds from a request to the end of its answer, with up to three decimals. */
  readonly duration: number;
  /** Chunks of a streamed answer; 0 for one body. */
  readonly chunks: number;
  readonly chunkBytes: number;
  /** An answer without its chunks. */
  readonly answerBytes: number;
  readonly requestBytes: number;
  /** Memory of the function in MB. */
  readonly memory: number;
  readonly limits: LimitChoice;
  /** All callers have equal shares of the workload. */
  readonly keys: number;
  readonly tenants: number;
  readonly models: number;
  /** Whether responses are stored, whether each continues a stored one, and the stored size of one. */
  readonly store: boolean;
  readonly followUp: boolean;
  readonly storedBytes: number;
  readonly ledgerDays: number;
  /** Percentage of requests with a cold start. */
  readonly coldPercent: number;
  /** Milliseconds of a cold start. */
  readonly initMs: number;
  /** Days that log lines are kept. */
  readonly logDays: number;
  /** Other regions that have the tables of models and of keys too. */
  readonly replicas: number;
  /** Whether the aggregator keeps the sums of the dashboard. */
  readonly dashboard?: true;
  /** Processes that share the requests, and each what it has read; absent: one for each concurrent request. */
  readonly processes?: number;
}

/** AWS counts a month so. */
export const monthHours = 730;
export const monthSeconds = monthHours * 3_600;
export const monthDays = 365 / 12;

export const requestsPerMonth = ({ rps }: Traffic): bigint =>
  (BigInt(Math.round(rps * 1_000)) * BigInt(monthSeconds)) / 1_000n;

/** Average number of concurrent requests. Without processes that share them, each has its own function instance. */
export const concurrentRequests = ({ rps, duration }: Traffic): number => rps * duration;

export const answerSize = ({ answerBytes, chunks, chunkBytes }: Traffic): number =>
  answerBytes + chunks * chunkBytes;

/** How long the functions cache what they read, in seconds. */
export const cacheSeconds = {
  access: 5,
  catalog: 60,
  keyUse: 60,
  providerSettings: 300,
  limits: 60,
  throughput: 60,
} as const;

/**
 * The share of requests in which a function reads an item that it caches for `freshSeconds`, if `kinds` different items
 * are used in turn.
 */
export function readShare(traffic: Traffic, freshSeconds: number, kinds: number): number {
  const { rps, duration, coldPercent, processes } = traffic;
  // An instance of a function serves one request at a time.
  if (processes === undefined && duration >= freshSeconds) return 1;
  const rate = rps / (processes ?? Math.max(1, concurrentRequests(traffic)));
  return Math.min(1, 1 / (1 + (rate * freshSeconds) / kinds) + coldPercent / 100);
}
