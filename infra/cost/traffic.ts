/** The traffic whose cost is asked for, and how often it makes the gateway read what it remembers only for a while. */

/** With their usual sizes, in bytes. The end of a response tells its text again, which its chunks have a part in here. */
export const operations = {
  'chat-completions': { requestBytes: 6_000, answerBytes: 1_200, chunkBytes: 290, callsModels: true },
  responses: { requestBytes: 6_000, answerBytes: 4_000, chunkBytes: 240, callsModels: true },
  embeddings: { requestBytes: 2_000, answerBytes: 9_000, chunkBytes: 0, callsModels: true },
  'images-generations': { requestBytes: 500, answerBytes: 2_000_000, chunkBytes: 0, callsModels: true },
  models: { requestBytes: 0, answerBytes: 29_000, chunkBytes: 0, callsModels: false },
} as const;

export type CostedOperation = keyof typeof operations;

export const limitChoices = ['none', 'key', 'key+tenant'] as const;
export type LimitChoice = (typeof limitChoices)[number];

export interface Traffic {
  readonly operation: CostedOperation;
  /** Requests a second, all month long; three decimals count. */
  readonly rps: number;
  /** Seconds from a request to the end of its answer; three decimals count. */
  readonly duration: number;
  /** Pieces of a streamed answer; 0: it comes as one body. */
  readonly chunks: number;
  readonly chunkBytes: number;
  /** Of an answer beside its chunks. */
  readonly answerBytes: number;
  readonly requestBytes: number;
  /** Megabytes of the function. */
  readonly memory: number;
  readonly limits: LimitChoice;
  /** Callers have equal parts of the traffic. */
  readonly keys: number;
  readonly tenants: number;
  readonly models: number;
  /** Whether responses are kept, whether each goes on from one, and the size of one as it lies in the table. */
  readonly store: boolean;
  readonly followUp: boolean;
  readonly keptBytes: number;
  readonly ledgerDays: number;
  /** Requests of a hundred for which a function has to start. */
  readonly coldPercent: number;
  /** Milliseconds of such a start. */
  readonly initMs: number;
}

/** AWS counts a month as 730 hours. */
const monthSeconds = 2_628_000;

export const requestsPerMonth = ({ rps }: Traffic): bigint =>
  (BigInt(Math.round(rps * 1_000)) * BigInt(monthSeconds)) / 1_000n;

/** How many are under way at a time, on average. Each has a function of its own. */
export const atATime = ({ rps, duration }: Traffic): number => rps * duration;

export const answerSize = ({ answerBytes, chunks, chunkBytes }: Traffic): number =>
  answerBytes + chunks * chunkBytes;

/** How long the functions remember what they read, in seconds. */
export const remembered = { access: 5, catalog: 60, keyUse: 60, providerSettings: 300 } as const;

/**
 * In how many of its requests a function reads something that it remembers for so long, where so many of its kind take
 * turns. It serves one request after the other: none can find what was read before the last one began.
 */
export function readShare(traffic: Traffic, freshSeconds: number, kinds: number): number {
  const { rps, duration, coldPercent } = traffic;
  if (duration >= freshSeconds) return 1;
  const rate = rps / Math.max(1, atATime(traffic));
  return Math.min(1, 1 / (1 + (rate * freshSeconds) / kinds) + coldPercent / 100);
}
