/** Responses that are created in the background: who is named to do it, what is kept of each while it runs, and its store. */
import type { JsonObject } from './generation/request.ts';
import type { LogBlock } from './ports/event-log.ts';
import type { RequestMemory } from './ports/memory.ts';
import type { MeteredRequest } from './ports/metering.ts';
import type { SharedPart } from './stored-response.ts';

/** A response that is created in the background. */
export interface RunRef {
  readonly tenant: string;
  /** Of the response. */
  readonly id: string;
}

/** What a worker is started for. */
export interface StartedRun extends RunRef {
  /** What a provider goes on with although the run has ended: it is to be ended. */
  readonly left?: UpstreamResponse | undefined;
}

/** Starts the worker of a run. Resolves when it is certain to be started, and rejects otherwise. */
export type StartRun = (run: StartedRun) => Promise<void>;

/** A response that a provider itself creates in the background. */
export interface UpstreamResponse {
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  /** The provider's id of it. */
  readonly id: string;
}

/** What the worker of a run and the call of its provider share. */
export interface RunUpstream extends Pick<RunRef, 'id'> {
  /** What an earlier worker has begun, and this one reads on; absent: nothing. */
  readonly begun?: UpstreamResponse | undefined;
  /** Called before an event of the response is read. `remove` deletes the provider's copy of it, once. */
  note(response: UpstreamResponse, remove: () => Promise<void>): Promise<void>;
  /** Whether another worker reads it on. Otherwise it is cancelled where it is left. */
  isHandedOver(): boolean;
  /** What could not be done at the provider. */
  warn(problem: string, cause: unknown): void;
}

/** What runs a worker. */
export interface RunHost {
  /** With the time in it; see `lib/core/names/request-id.ts`. */
  readonly requestId: string;
  /** As in the lines that Lambda writes itself. */
  readonly lambdaRequestId?: string;
  /** Of the function of Lambda that it is, with its alias. */
  readonly functionArn?: string;
  /** Until the host ends the run. */
  readonly remainingMs: () => number;
  /** Aborts with a GatewayError as its reason when a server stops. */
  readonly signal?: AbortSignal;
  /** Of the process. */
  readonly memory?: RequestMemory | undefined;
}

/** The worker of a run: creates the response, if no other worker has begun to. Rejects if it was not begun, and may be tried again. */
export type RunResponse = (run: StartedRun, host: RunHost) => Promise<unknown>;

/** What a worker resolves with where the next one goes on. */
export const handedOver = 'handed over';

/**
 * `queued` until a worker begins, `in_progress` while it works. `done`: the response is complete, and stored in a moment; it is found
 * among the stored responses.
 */
type RunStatus = 'queued' | 'in_progress' | 'cancelled' | 'failed' | 'done';

/** What was reserved for a run before it was queued. */
export interface RunHold extends MeteredRequest {
  /** How often each of the provider's tools that read may be called, where that was lowered to fit the limits. */
  readonly maxToolCalls?: number;
}

/** A new run, before it is written. */
interface NewRun {
  /** Absent where requests are not metered, and in runs of earlier versions: their workers reserve. */
  readonly hold?: RunHold | undefined;
  /** The stored format of the caller's API key. */
  readonly keyHash: string;
  /** Those headers of the caller that the run's record has, by their names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a log is kept of the events. */
  readonly streamed: boolean;
  /** The body, as it was sent. */
  readonly request: JsonObject;
  /** The response object, in the status `queued`. */
  readonly begun: JsonObject;
}

export interface Run extends RunRef, Pick<NewRun, 'hold' | 'keyHash' | 'headers' | 'streamed'> {
  readonly status: RunStatus;
  /** When a sign of it was written last, in Unix milliseconds. */
  readonly aliveAt: number;
  /** How often a worker was asked to begin. */
  readonly starts: number;
  /** That has begun it; absent while it waits for one. */
  readonly worker?: string;
  /** What a provider creates for it. Queued, it waits for the worker that reads it on. */
  readonly upstream?: UpstreamResponse;
  /** How many of its workers were lost. */
  readonly losses: number;
  /** How much of its log was written when its last worker handed it over. */
  readonly logged?: LogPosition;
  /** Of a run that has ended, it cannot be read any more: it may hold what opens another server of the caller's. */
  readonly request?: SharedPart;
  readonly begun: SharedPart;
  /** The response object that the worker ended with, where it is not stored. */
  readonly final?: SharedPart;
  /** Why a run failed without one, for the caller. */
  readonly failure?: string;
  /** Base64. */
  readonly logKey: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** How far a log is written. */
export interface LogPosition {
  /** The number of the next item. */
  readonly next: number;
  /** Of the last event in it. */
  readonly sequence: number;
}

/** What a worker leaves to the next one. */
interface HandedOver {
  readonly upstream: UpstreamResponse;
  readonly logged: LogPosition;
}

/** How a worker ends a run. */
export interface RunEnd {
  readonly status: 'failed' | 'done';
  readonly final?: JsonObject;
  readonly failure?: string;
}

/** All changes are conditional on what the run is in the table: of several at once, one takes place. */
export interface BackgroundStore {
  create(run: RunRef, created: NewRun): Promise<Run>;
  find(run: RunRef): Promise<Run | undefined>;
  /** Undefined where it is damaged, or deleted by now. */
  read(run: RunRef, part: SharedPart): Promise<JsonObject | undefined>;
  /** `queued` → `in_progress`, of this worker. Undefined if it is not queued. */
  begin(run: RunRef, worker: string): Promise<Run | undefined>;
  /** A sign of the worker. False where the run is not its own any longer. */
  renew(run: RunRef, worker: string): Promise<boolean>;
  /** Notes what a provider creates for the worker; false where the run is not its own any longer. */
  noteUpstream(run: RunRef, worker: string, upstream: UpstreamResponse): Promise<boolean>;
  /** `in_progress` → `queued`, for the next worker; false where the run is not the worker's own any longer. */
  handOver(run: RunRef, worker: string, left: HandedOver): Promise<boolean>;
  /** The same of a run whose worker is lost; false where it gave a sign since the run was read. */
  requeue(run: Run): Promise<boolean>;
  /** Ends what the worker runs; false where it was ended, or deleted, by another. */
  end(run: RunRef, worker: string, end: RunEnd): Promise<boolean>;
  /** Ends a run that is queued or in progress; false where it has ended. */
  cancel(run: Run): Promise<boolean>;
  /** Fails a run that gave no sign since it was read; false where it did. */
  fail(run: Run, failure: string): Promise<boolean>;
  /** Counts a further start of a run that is still queued as it was read; false where it is not. */
  restart(run: Run): Promise<boolean>;
  /** Removes the run with its parts, after which its log cannot be read. Resolves with what it was; undefined if there was none. */
  remove(run: RunRef): Promise<Run | undefined>;
  /** Writes a block of the log, from item `n` on. Returns the number of the next one. */
  append(run: Run, n: number, text: string): Promise<number>;
  /** The block of the log that begins with item `n`, and the number of the next one; undefined: it is not written yet. */
  follow(run: Run, n: number): Promise<LogBlock | undefined>;
}
