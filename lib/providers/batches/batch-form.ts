/** What the batch API of a provider is: how a job of lines is sent there, followed, read and removed. */
import type { JsonObject } from '../../core/generation/request.ts';
import type { AwsService, FindEndpoint } from '../../core/ports/aws.ts';
import type { BodyPieces, BodyStream, HttpResponse } from '../../core/ports/http.ts';

/** A request of its own, as the provider would have it outside of a batch. */
export interface LineRequest {
  /** Below the provider's root, for example `/chat/completions`. */
  readonly path: string;
  /** JSON: an object, or its text. */
  readonly body: JsonObject | string;
  /** Its own, beside those of every request, such as `anthropic-beta`. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JobLine {
  /** It begins with the id of its job, so that results say whose they are. At most 64 of `a-zA-Z0-9_-`. */
  readonly id: string;
  readonly request: LineRequest;
}

/** Lines of one model that are sent together. All have the path of the job. */
export interface JobToSubmit {
  /** Ours, and unique: at most 40 of `a-z0-9-`. */
  readonly id: string;
  /** From 1: how often it was begun to be submitted. */
  readonly attempt: number;
  readonly upstreamModel: string;
  readonly path: string;
  /** How many lines it has. */
  readonly count: number;
  /** The same lines each time that it is called. */
  readonly lines: () => AsyncIterable<JobLine>;
  /** What the lines take together, about. */
  readonly bytes: number;
  /** What the provider is told of it where it keeps such words: at most 15 entries of short texts. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A job whose submission was begun, with an outcome that is not known. */
export interface JobToFind extends Pick<JobToSubmit, 'id' | 'attempt' | 'count'> {
  /** Unix milliseconds. */
  readonly submittingAt: number;
}

/** An account of the gateway's with a provider, for calls that no request waits for. */
export interface BatchAccount {
  /** Sends one authorized request. Resolves with an answer of any status; rejects as `Send`. */
  request(
    method: 'DELETE' | 'GET' | 'POST' | 'PUT',
    /** Below the provider's root, or a full URL of the same provider. */
    path: string,
    options?: BatchRequestOptions,
  ): Promise<HttpResponse>;
  /** Identifies the account at the provider. Not secret. */
  readonly account: string;
  /** The URL below which the paths are, without a slash at its end. */
  readonly root: string;
  readonly region: string;
  /** The provider's settings beside its key, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** The local sandbox answers in the provider's place; what is beside the provider is below its root. */
  readonly isSandbox?: boolean;
  /** Where the services of AWS are that a provider in AWS uses. */
  readonly endpointOf: FindEndpoint;
}

export interface BatchRequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Of AWS, as in its signature: the request is signed for it, instead of authorized for the provider. */
  readonly service?: AwsService;
  readonly body?: string | Uint8Array | BodyPieces | BodyStream;
}

/** What is known of a job at the provider: ids of its files, and of the job. It is kept, so it is small. */
export type UpstreamJob = JsonObject;

/** The same of a job that reads a bucket. */
export interface BucketJob {
  readonly bucket: string;
  /** With a slash at its end. */
  readonly prefix: string;
  readonly job?: string;
}

export interface JobState {
  /** `missing`: the provider does not know it. `failed`: none of its lines will be answered. */
  readonly state: 'ended' | 'failed' | 'missing' | 'running';
  /** What the provider says of a failure, without what lines contain. */
  readonly problem?: string;
  /** Of a failure: the provider had no room for it, and may have later. */
  readonly mayRetry?: true;
  /** Of one that has ended: what became of the lines without a result, where that is known. */
  readonly unanswered?: 'cancelled' | 'expired';
  readonly counts?: JobCounts;
  /** What is known now, where that has changed: it replaces what was kept. */
  readonly upstream?: UpstreamJob;
}

/** Of the provider: they may go back. */
export interface JobCounts {
  readonly completed: number;
  readonly failed: number;
}

/** What became of a line: an answer as the live API would have given it, or none. */
export type LineResult =
  | {
      readonly id: string;
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly id: string; readonly unanswered: 'cancelled' | 'expired' };

export interface BatchLimits {
  readonly lines: number;
  /** Of what is sent for a whole job. */
  readonly bytes: number;
  readonly minLines?: number;
  readonly lineBytes?: number;
  /** Of texts to embed, in all lines of a job together. */
  readonly inputs?: number;
}

/** Every method may reject with a GatewayError, whose `recovery` says whether it may be called again. */
export interface BatchForm {
  readonly limits: BatchLimits;
  /** Whether the provider's settings have what its batches need; absent: they need nothing of their own. */
  readonly isReady?: (settings: BatchAccount['settings']) => boolean;
  /** Why a request cannot be a line of a job; undefined: it can. Absent: each can. */
  readonly refusal?: (request: LineRequest) => string | undefined;
  /** What all lines of a job have in common beside model and path; absent: nothing. */
  readonly shared?: (request: LineRequest) => string;
  /** `note` is told what is known of the job after each step, and awaited before the next. */
  submit(
    account: BatchAccount,
    job: JobToSubmit,
    note: (upstream: UpstreamJob) => Promise<void>,
  ): Promise<UpstreamJob>;
  /** The jobs that the provider has of one whose submission was begun. `known` is what was noted last. */
  find(
    account: BatchAccount,
    job: JobToFind,
    known: UpstreamJob | undefined,
  ): Promise<readonly UpstreamJob[]>;
  poll(account: BatchAccount, upstream: UpstreamJob): Promise<JobState>;
  /** Of a job that has ended, in any order, as they arrive. Lines may be missing. */
  results(account: BatchAccount, upstream: UpstreamJob): AsyncIterable<LineResult>;
  /** One that has ended stays as it is. */
  cancel(account: BatchAccount, upstream: UpstreamJob): Promise<void>;
  /** Removes the job and its files from the provider, as far as that is possible and they are there. */
  remove(account: BatchAccount, upstream: UpstreamJob): Promise<void>;
}
