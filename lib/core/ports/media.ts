/** Images and documents at callers' URLs. */
import type { RequestMemory } from './memory.ts';

/** What is expected at a URL: an image, a PDF (`file`), an office document, a text file, a video, or audio to transcribe. */
export type MediaKind = 'image' | 'file' | 'office' | 'text' | 'video' | 'audio';

/** Bytes as they were received: never joined. */
export interface MediaBytes {
  readonly blocks: readonly Uint8Array[];
  readonly length: number;
}

/** An image or a document. */
export interface FetchedMedia extends MediaBytes {
  /** For an office document only its container: Word, Excel and PowerPoint files begin alike. */
  readonly mediaType: string;
}

/** What the downloads of one request may still take together. Each of them takes its share. */
export interface MediaBudget {
  /** Bytes to receive. */
  left: number;
  /** HTTP requests to make: one for each URL and each redirect. */
  requests: number;
  /** From which they take what they need in the process; absent: it is not counted. */
  readonly memory?: RequestMemory;
}

export interface FetchOptions {
  readonly kind: MediaKind;
  /** The caller's field with the URL. */
  readonly param: string;
  readonly signal?: AbortSignal;
  /** Absent: only the limits of a single download apply. */
  readonly budget?: MediaBudget;
}

/**
 * Fetches an image or a document from a caller's URL, for a provider that does not accept URLs. Only https, only public
 * addresses, within limits of size and time; the type is detected by the first bytes. Rejects with GatewayError
 * `invalid_request` for `param`.
 */
export type FetchMedia = (url: string, options: FetchOptions) => Promise<FetchedMedia>;
