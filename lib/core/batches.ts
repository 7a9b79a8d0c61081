/** Batches: requests of a file, each answered on its own, most of them by jobs of the providers' own batch APIs. */

import type { FilePart, ListPage } from './files.ts';
import type { JsonObject } from './generation/request.ts';
import type { OperationName } from './operations.ts';
import type { FoundApiKey } from './ports/api-keys.ts';
import type { MeteredRequest } from './ports/metering.ts';

/** Whose contract a batch follows: that of `/v1/batches`, or of `/v1/messages/batches`. */
export type BatchContract = 'openai' | 'anthropic';

/** The beginning of the ids of batches. */
export const batchPrefixes: Readonly<Record<BatchContract, string>> = {
  openai: 'batch_',
  anthropic: 'msgbatch_',
};

/** The operations whose requests a batch may have. */
export type BatchOperation = Extract<
  OperationName,
  'chat-completions' | 'completions' | 'embeddings' | 'images-generations' | 'messages' | 'responses'
>;

/** In OpenAI's words; Anthropic's follow from them. */
export type BatchStatus =
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

export const endedStatuses: readonly BatchStatus[] = ['failed', 'completed', 'expired', 'cancelled'];

/** Why a file is refused as a batch. */
export interface BatchProblem {
  readonly code: string;
  readonly message: string;
  /** From 1; absent: of the whole file. */
  readonly line?: number;
  readonly param?: string;
}

export interface BatchCounts {
  readonly total: number;
  readonly completed: number;
  /** Answered with an error. */
  readonly failed: number;
  /** Of those that were not answered. */
  readonly cancelled: number;
  readonly expired: number;
}

/** What becomes of the lines of one model. */
export interface PlannedLines {
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  readonly lines: number;
  /** `native`: by a job of the provider's batch API. `live`: as single requests. */
  readonly by: 'native' | 'live';
  /** The price in relation to the list price, 0.5 for half of it; null: not known. */
  readonly priceFactor: number | null;
}

/** What all answered lines together have used. Amounts are in nano-dollars; null: the cost of a line is not known. */
export interface BatchUse {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly cost: number | null;
  readonly charge: number | null;
}

/** What a batch is created with. */
export interface NewBatch {
  readonly tenant: string;
  /** It begins with its time; see `timedId`. */
  readonly id: string;
  readonly contract: BatchContract;
  readonly operation: BatchOperation;
  readonly key: FoundApiKey;
  readonly inputFile: string;
  /**
   * The parts of that file: it may be deleted while the batch runs. A line is `{custom_id, method, url, body}`, or of Anthropic's
   * contract `{custom_id, params}`.
   */
  readonly input: readonly FilePart[];
  /** How many lines it has; absent: not known before they are read. */
  readonly lines?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Those headers of the caller that the records of its lines have, by their names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `native`: lines without a batch API of their provider are refused; `any`: they are answered as single requests. */
  readonly mode: 'native' | 'any';
  /** Only planned: it ends as `completed` with its plan, and no file. */
  readonly dryRun?: true;
  /** For how long the files of its answers are kept, in seconds. */
  readonly outputSeconds: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds: what is not answered by then expires. */
  readonly expiresAt: number;
}

export interface Batch extends NewBatch {
  readonly status: BatchStatus;
  /** When it came to a status, in Unix seconds. */
  readonly times: Readonly<Partial<Record<BatchStatus, number>>>;
  readonly counts: BatchCounts;
  readonly problems?: readonly BatchProblem[];
  readonly plan: readonly PlannedLines[];
  readonly outputFile?: string;
  readonly errorFile?: string;
  readonly use?: BatchUse;
  /** How many jobs it has. */
  readonly jobs: number;
  /** Who works on it, and until when it is its own, in Unix milliseconds. */
  readonly lease?: { readonly worker: string; readonly until: number };
  /** When it is to be worked on again, in Unix milliseconds. */
  readonly nextAt: number;
  /** Counts the writes. */
  readonly version: number;
}

/** One job: lines of one deployment that are sent together. */
export interface BatchJob {
  /** From 0. */
  readonly n: number;
  /** Whose batch API answers it; `live`: the lines are single requests. */
  readonly by: string;
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  readonly lines: number;
  /** Its first line, counted in the file from 0. */
  readonly firstLine: number;
  /** So many of its lines, the first ones, are settled: what a caller's limits leave room for is sent, and then the next ones. */
  readonly answered: number;
  /** So many of the lines after them are with the provider. */
  readonly sending: number;
  /** `planned` → `submitting` → `submitted` → `ended` → `settled`. */
  readonly status: 'planned' | 'submitting' | 'submitted' | 'ended' | 'settled';
  /** The lines as the caller wrote them, as the provider takes them, and what else is needed to read the answers. */
  readonly parts: Readonly<Record<string, readonly FilePart[]>>;
  /** What is reserved for all of its lines: the open record of the first one. */
  readonly hold?: MeteredRequest;
  /** How often it was begun to be submitted. */
  readonly attempts: number;
  /** When that was begun last, and when the provider had ended it; in Unix milliseconds. */
  readonly submittingAt?: number;
  readonly endedAt?: number;
  /** What the provider knows of it: ids of its files and of the job. */
  readonly upstream?: JsonObject;
  /** How often it was tried to remove that, if it failed so far. */
  readonly removals?: number;
  /** How often it was asked for, and when it is again, in Unix milliseconds. */
  readonly polls: number;
  readonly nextAt: number;
  /** The provider was asked to cancel it. */
  readonly isCancelled?: true;
  readonly counts: BatchCounts;
  readonly use?: BatchUse;
}

export interface BatchListing {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A request to create a batch. */
interface BatchCreation extends BatchRef {
  /** A hash of what it asks for. */
  readonly request: string;
  /** Whether it repeats one of the last ten minutes. */
  readonly isAgain: boolean;
}

/** Where batches and their jobs are kept. Those of another tenant are not found. Each method may reject. */
export interface BatchStore {
  /** False: there is one with this id. */
  create(batch: NewBatch): Promise<boolean>;
  /** Notes which batch a request creates. The id of that batch: the one that an earlier request has noted, where `isAgain`. */
  noteCreation(creation: BatchCreation): Promise<string>;
  find(tenant: string, id: string): Promise<Batch | undefined>;
  /** The newest first. */
  list(tenant: string, contract: BatchContract, listing: BatchListing): Promise<ListPage<Batch>>;
  /** Writes the changes, if nothing was written since `batch` was read. Undefined: something was. */
  change(batch: Batch, changes: Partial<Batch>): Promise<Batch | undefined>;
  /** Only of one that has ended. Deletes its row and those of its jobs. */
  delete(batch: Batch): Promise<boolean>;
  jobs(batch: Pick<Batch, 'tenant' | 'id'>): Promise<readonly BatchJob[]>;
  /** Writes a job whole. False: a later version of the batch wrote it, which another worker has by now. */
  putJob(batch: Pick<Batch, 'tenant' | 'id' | 'version'>, job: BatchJob): Promise<boolean>;
  /** Those that have not ended: of a tenant, or of all for the look at what no one works on. */
  open(tenant?: string): Promise<readonly BatchRef[]>;
}

export interface BatchRef {
  readonly tenant: string;
  readonly id: string;
}

/** Names a batch to a worker, which begins at once. Rejects where that is not certain. */
export type StartBatch = (batch: BatchRef) => Promise<void>;

/** A line of a result file. */
export interface ResultLine {
  /** `batch_req_…`. */
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: JsonObject;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The error codes of lines that were not answered. */
export const lineCancelled = 'batch_cancelled';
export const lineExpired = 'batch_expired';

/** Batches of a tenant that may have not ended. */
export const maxOpenBatches = 20;

/** Lines of a tenant's batches that may wait for their answers. */
export const maxQueuedLines = 200_000;
