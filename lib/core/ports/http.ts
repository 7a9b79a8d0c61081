/** HTTP exchanges with upstream hosts. */
import type { RequestMemory } from './memory.ts';

/** The timeouts of one upstream exchange, in milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export interface HttpRequest {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | BodyPieces | BodyStream;
}

/** A body that is made while it is sent, and never in memory as a whole. It can be read more than once. */
export interface BodyPieces {
  readonly byteLength: number;
  /** Of a form: what it has, with a few words in place of its files. */
  readonly fields?: object;
  pieces(): Iterable<string | Uint8Array>;
}

/** The same, of pieces that are waited for. */
export interface BodyStream {
  readonly byteLength: number;
  pieces(): AsyncIterable<string | Uint8Array>;
}

/** A file of a form that is sent. */
export interface FormFile {
  /** Of its field. */
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; a repeated header is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws GatewayError `upstream_timeout` (idle), `upstream_cut` (connection lost) or `client_closed` (aborted). */
  readonly body: AsyncIterable<Uint8Array>;
  /** What the request was authorized with, where an error may repeat it. */
  readonly secrets?: readonly string[];
  /** The memory that a reader of the whole body takes its share from; absent: it is not counted. */
  readonly memory?: RequestMemory;
}

/**
 * Sends one request upstream. Resolves with status and headers; rejects with GatewayError `upstream_unreachable` (DNS, connect,
 * TLS, reset), `upstream_timeout` or `client_closed` (signal aborted). Leaving the body's loop early, or aborting, closes the
 * exchange.
 */
export type Send = (
  request: HttpRequest,
  options: {
    readonly timeouts: Timeouts;
    readonly signal?: AbortSignal;
    /** The request is being written to a connection: from here on it may have arrived. */
    readonly onSent?: () => void;
  },
) => Promise<HttpResponse>;

export interface TextResponse {
  readonly status: number;
  /** Lower-case names; repeated headers as the HTTP client gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Sends one request and reads its whole response, as UTF-8. `url` is as `URL.href` writes it, without a user. Rejects as `Send` and
 * its body do, and with GatewayError `upstream_invalid_answer` above `maxBytes`.
 */
export type SendForText = (
  request: HttpRequest,
  options: { readonly timeouts: Timeouts; readonly maxBytes: number },
) => Promise<TextResponse>;
