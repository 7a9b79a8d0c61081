/** The workload whose cost is estimated, how often it makes the gateway read what it caches, and how often the aggregator runs. */
import { maxStreamBatch } from '../../lib/stores/usage/stream.ts';

/** With their default sizes, in bytes. The last event of a response repeats its text, which is included in its chunks here. */
export const operations = {
  'chat-completions': { requestBytes: 6_000, answerBytes: 1_200, chunkBytes: 290 },
  responses: { requestBytes: 6_000, answerBytes: 4_000, chunkBytes: 240 },
  // Agents send long conversations: those of Claude Code begin with about 60 kB.
  messages: { requestBytes: 60_000, answerBytes: 1_600, chunkBytes: 130 },
  completions: { requestBytes: 2_000, answerBytes: 800, chunkBytes: 220 },
  embeddings: { requestBytes: 2_000, answerBytes: 9_000, chunkBytes: 0 },
  'audio-transcriptions': { requestBytes: 1_000_000, answerBytes: 2_000, chunkBytes: 0 },
  'audio-speech': { requestBytes: 1_500, answerBytes: 300_000, chunkBytes: 0 },
  rerank: { requestBytes: 40_000, answerBytes: 1_500, chunkBytes: 0 },
  'images-edits': { requestBytes: 2_000_000, answerBytes: 2_000_000, chunkBytes: 0 },
  'images-generations': { requestBytes: 500, answerBytes: 2_000_000, chunkBytes: 0 },
} as const;

export type CostedOperation = keyof typeof operations;

/** What a caller whose connection breaks can do: ask again, or read on, in one of two ways. */
export const streamChoices = ['plain', 'resumable', 'background'] as const;

export const limitChoices = ['none', 'key', 'key+tenant'] as const;

export interface Traffic {
  readonly operation: CostedOperation;
  /** Requests per second, all month, with up to three decimals. */
  readonly rps: number;
  /** Seconds from a request to the end of its answer, with up to three decimals. */
  readonly duration: number;
  /** Chunks of a streamed answer; 0 for one body. */
  readonly chunks: number;
  readonly chunkBytes: number;
  /** Absent: a plain stream. */
  readonly stream?: Exclude<(typeof streamChoices)[number], 'plain'>;
  /** The share of requests that are answered from the cache, each of which is looked up; absent: none asks for it. */
  readonly cached?: number;
  /** An answer without its chunks. */
  readonly answerBytes: number;
  readonly requestBytes: number;
  /** Memory of the function in MB. */
  readonly memory: number;
  readonly limits: (typeof limitChoices)[number];
  /** All callers have equal shares of the workload. */
  readonly keys: number;
  readonly tenants: number;
  readonly models: number;
  readonly ledgerDays: number;
  /** Days that log lines are kept. */
  readonly logDays: number;
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

/** The share of requests that start a function, and how long that takes. */
export const coldStarts = { share: 0.01, milliseconds: 500 };

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
  const { rps, duration, processes } = traffic;
  // An instance of a function serves one request at a time.
  if (processes === undefined && duration >= freshSeconds) return 1;
  const rate = rps / (processes ?? Math.max(1, concurrentRequests(traffic)));
  const cold = processes === undefined ? coldStarts.share : 0;
  return Math.min(1, 1 / (1 + (rate * freshSeconds) / kinds) + cold);
}

/** The processor time that a request takes, where it is not an environment of its own that is paid: in microseconds. */
export interface ProcessorTime {
  /** Of a request with one body. */
  readonly request: number;
  /** Of each chunk of a stream. */
  readonly chunk: number;
}

/**
 * Measured with 16 callers: `test/bench/RESULTS.md`, 2026-11-22, "body, openai" (559) and "paced stream, openai" (4,740 for 50
 * chunks, all of it counted for the chunks: a little more than they take). That is without TLS to the provider, and on another
 * processor; one of Graviton is taken to be as fast.
 */
export const measuredTime: ProcessorTime = { request: 559, chunk: 95 };

/** Of one request. */
export const processorSeconds = ({ chunks }: Traffic, { request, chunk }: ProcessorTime): number =>
  (request + chunks * chunk) / 1_000_000;

/** The stack gathers changes of the ledger for so long before it invokes the aggregator. */
const gatherSeconds = 2;

/** A partition of the table, which has a shard of the stream of its own, takes so many write units a second. */
const unitsOfPartition = 1_000;

/** Of a request: its open and its final record. */
const changesOfRequest = 2;

/** Milliseconds of a batch, and of each change in it. Estimated from the local gateway; a batch mostly waits for its writes. */
const batchMs = 40;
const changeMs = 0.3;

interface Batches {
  readonly perSecond: number;
  /** Of one batch. */
  readonly milliseconds: number;
}

export function aggregatorBatches({ rps }: Traffic): Batches {
  const changes = rps * changesOfRequest;
  const shards = Math.max(1, Math.ceil(changes / unitsOfPartition));
  const perSecond = Math.min(changes, Math.max(shards / gatherSeconds, changes / maxStreamBatch));
  return { perSecond, milliseconds: batchMs + (changeMs * changes) / perSecond };
}
