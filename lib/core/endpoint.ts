/** The interface between `lib/http` and an operation: the validated request and the answer. Neither side knows the other. */
import type * as z from 'zod/mini';
import type { Batched } from '../async/pipe.ts';
import type { FinishedAttempt, FinishedRequest } from './accounting/ledger.ts';
import type { Tags } from './accounting/tags.ts';
import type { GatewayError } from './errors/errors.ts';
import type { StoredBytes } from './file-bytes.ts';
import type { GuardRecord } from './guardrails/guard-record.ts';
import type { HeldForm } from './held-form.ts';
import type { ApiKey, FoundApiKey } from './ports/api-keys.ts';
import type { RequestMemory } from './ports/memory.ts';
import type { MaxUse, MeteredRequest } from './ports/metering.ts';
import type { TraceContext } from './trace-context.ts';

/** The facts of one call of a provider, filled in as they become known. */
export type AttemptFacts = { -readonly [Name in keyof FinishedAttempt]: FinishedAttempt[Name] };

/** Of a request whose model the catalog does not know: the name is the caller's text, which is not logged. */
export const unknownModel = 'unknown';

/** The facts of a request for its log line and the ledger. Operations fill them in as they become known. */
export interface RequestFacts {
  requestedModel?: string;
  /** The model that was tried last. */
  model?: string;
  /** In order. `startAttempt` of the pipeline adds them. */
  readonly attempts: AttemptFacts[];
  streamed?: boolean;
  /** The answer of an earlier request with the same key. */
  replayed?: boolean;
  /** Of a request that was answered from the cache, and reached no provider. */
  cached?: ReplayedAnswer;
  normalizations?: number;
  /** Nothing was sent. */
  dryRun?: boolean;
  finishReasons?: readonly string[];
  /** Of the header, and of the body's metadata. */
  tags?: Tags;
  /** The id of the response that is created in the background. */
  response?: string;
  /** What the rules of guardrails did. Absent: none applied. */
  guard?: readonly GuardRecord[];
}

/** Whom a request is for that was not sent to anyone yet. */
export type PlannedTarget = Pick<FinishedRequest, 'model' | 'provider' | 'region'>;

/** How a request has ended. */
export interface RequestEnd {
  /** Whether its whole answer was made, and its caller has stayed. */
  readonly isComplete: boolean;
}

/** The answer of an earlier request, which was given again. */
export interface ReplayedAnswer {
  /** The earlier request. */
  readonly of: string;
  readonly target: PlannedTarget;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** One request to an operation. */
export interface Call<Input> {
  readonly input: Input;
  /** Absent for operations without authentication. */
  readonly key?: FoundApiKey;
  readonly requestId: string;
  /** The base URL at which the caller has reached the gateway, without the version. Absent where no caller has. */
  readonly reachedAt?: () => string;
  /** The caller's id of the conversation, if given. */
  readonly sessionId?: string;
  /** Aborted when the client disconnects, or at the deadline (reason: GatewayError `deadline_exceeded`). */
  readonly signal: AbortSignal;
  /** Aborted with it, but later where the caller has left: until then, calls of providers are read on for their counts. Absent: at once. */
  readonly lasting?: AbortSignal;
  /** Milliseconds until the deadline. */
  readonly remainingMs: () => number;
  readonly facts: RequestFacts;
  /** Absent where no spans are made of requests. */
  readonly trace?: TraceContext;
  /** What the request takes of the memory of its process; absent: it is not counted. */
  readonly memory?: RequestMemory;
  /** Call after the targets are planned and before the first call, and before each further one. As `RequestMeter.admit`. */
  readonly admit: (maxUse: () => MaxUse) => Promise<number | undefined> | undefined;
  /** As `RequestMeter.preview`. */
  readonly preview?: ((maxUse: () => MaxUse) => Promise<number | undefined>) | undefined;
  /** Call when no target is left but the one that is tried next. Absent: no one waits for it. */
  readonly onLastTarget?: () => void;
  /** Call before each attempt, after the facts name the target. */
  readonly begin: () => void;
  /** Of a form. */
  readonly file?: ReceivedFile;
  /** Work beside the final record, before the answer ends. It must not reject. Absent: no one waits for it. */
  readonly atEnd?: (work: (end: RequestEnd) => Promise<void>) => void;
  /** As `RequestMeter.handOver`. Absent where no other process may go on. */
  readonly handOver?: (planned: PlannedTarget) => Promise<MeteredRequest | undefined>;
}

/** An event of the public stream. `data` is sent as JSON, a string unchanged. */
export interface PublicEvent {
  /** Its place in a stream that can be resumed. */
  readonly id?: number;
  readonly event?: string;
  readonly data: object | string;
  /** A further member of `data`: base64 that is too long to be in memory twice, in pieces. */
  readonly long?: { readonly name: string; readonly pieces: Iterable<string> };
}

export type Answer =
  | { readonly type: 'json'; readonly body: object; readonly headers?: Readonly<Record<string, string>> }
  | {
      /** JSON that many requests get: a caller who names its tag gets a 304 and no body. */
      readonly type: 'tagged-json';
      readonly text: string;
      /** With its quotes. The same text has the same one. */
      readonly tag: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** JSON that is too large to be in memory twice: its text in pieces. */
      readonly type: 'large-json';
      readonly text: Iterable<string>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | BytesAnswer
  | StreamAnswer;

/** A file, or a range of one, as its bytes come. They are read no faster than the client takes them. */
interface BytesAnswer {
  readonly type: 'bytes';
  /** 206: of a range, which the headers name. Absent: 200. */
  readonly status?: 200 | 206;
  readonly contentType: string;
  /** How many bytes there are. Absent: not known before. */
  readonly length?: number;
  /** What fails after the first byte breaks the connection, so that no client takes the file for whole. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StreamAnswer extends StreamFrame {
  readonly type: 'stream';
  /** Throws GatewayError if the stream fails. */
  readonly events: Batched<PublicEvent>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a stream has beside its events. */
export interface StreamFrame {
  /** The last events of a failed stream. */
  readonly onError: (error: GatewayError) => readonly PublicEvent[];
  /** Keeps the connection open while nothing else is sent; a comment if absent. It never comes first. */
  readonly heartbeat?: PublicEvent;
}

/** The time limit for creating an answer that is not streamed. */
export interface BufferedLimit {
  /** The share of the remaining time; the rest is for sending the answer. From 0 to 1. */
  readonly share: number;
  /** The error message when the time is over. */
  readonly message: string;
}

/** The file of a form. */
interface ArrivingFile {
  readonly filename: string;
  /** As they come. They may break off, and then throw a GatewayError. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The same, once its bytes are stored. */
export interface ReceivedFile extends StoredBytes {
  readonly filename: string;
}

/**
 * A body that is a form (`multipart/form-data`) with one file, which is stored while it comes: what the fields after it say is not
 * known before. The schema is that of the other fields, and of the path.
 */
export interface FileForm {
  /** The field that has the file. */
  readonly field: string;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** `path`: the parameters of the path. Throws GatewayError for a caller who may not send it. */
  readonly store: (
    file: ArrivingFile,
    key: FoundApiKey,
    path: Readonly<Record<string, string | undefined>>,
  ) => Promise<ReceivedFile>;
  /** Deletes what was stored for a request that fails. */
  readonly discard: (file: ReceivedFile) => Promise<void>;
}

export type ReadHeader = (name: string) => string | undefined;

/** The implementation of an operation. */
export interface Endpoint<Schema extends z.core.$ZodType, Input> {
  /** The schema of the body or, without one, of the parameters of query and path. */
  readonly schema: Schema;
  /**
   * Reads a valid body. `given`: the body as it was sent, with what the schema leaves out. `header`: a header of the request, by
   * its name in lower case. `template`: the path of its route. Throws GatewayError for rules that span several parameters.
   */
  readonly read: (
    body: z.core.output<Schema>,
    given?: unknown,
    header?: ReadHeader,
    template?: string,
  ) => Input;
  /** Whether a request needs a key at an operation without authentication, by its query. Absent: none does. */
  readonly needsKey?: (query: Readonly<Record<string, readonly string[] | undefined>>) => boolean;
  /** True: `given` is passed on to a provider, so its numbers are as they were written; see `exactJson`. */
  readonly passesNumbers?: true;
  /** True: a POST has no body, and the input is what its path says. */
  readonly hasNoBody?: true;
  readonly form?: FileForm;
  /** The body is such a form, or JSON. */
  readonly heldForm?: HeldForm;
  /** Prefetches what the answer needs. The caller is not authenticated yet: it only reads, and little. */
  readonly prepare?: (input: Input) => void;
  /** The time limit of an answer that is sent as one body; undefined if it is streamed or needs no model. */
  readonly bufferedLimit?: (input: Input) => BufferedLimit | undefined;
  /**
   * Whether much work comes before the reservation: reading a stored conversation, counting the tokens of long texts. Limits that
   * are used up then refuse the request first.
   */
  readonly isCostly?: (input: Input) => boolean;
  /**
   * Whether a request may cost nothing, so that it passes a budget that is used up. Without `input`: any request of the operation,
   * since its body is not read yet. Absent: none.
   */
  readonly mayBeFree?: (key: ApiKey, input?: Input) => Promise<boolean>;
  readonly answer: (call: Call<Input>) => Promise<Answer>;
  /** Whether the answer is a stream whose caller wants to read on after its connection broke. Absent: none is. */
  readonly isResumable?: (input: Input) => boolean;
  /** Of a stream whose head is sent before its first event. Absent: none is. */
  readonly earlyFrame?: (requestId: string) => StreamFrame;
}
