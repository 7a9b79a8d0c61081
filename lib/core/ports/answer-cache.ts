/** Answers that are kept for equal requests, so that these need no provider. Without the key that its request gives, no entry can be read. */
import type { JsonObject } from '../formats/json-object.ts';

/** One answer, as it is stored. */
export interface CachedAnswer {
  /** The request that it answered first. */
  readonly requestId: string;
  /** When it was stored, and until when it is given, in Unix milliseconds. */
  readonly storedAt: number;
  readonly expiresAt: number;
  /** What its operation needs to write it again. */
  readonly answer: JsonObject;
}

/** Why an answer was not found: there is none, or the table cannot say so in time. */
export type NotFound = 'none' | 'timeout' | 'unavailable';

/** Where the answer to one request is, if there is one. */
export interface CachePlace {
  find(): Promise<CachedAnswer | NotFound>;
  /** False: it is too large, or the table is late. Rejects where the table fails. */
  put(cached: CachedAnswer): Promise<boolean>;
  /**
   * The answer that another request of this process is about to get; undefined: this one is the first, and must call `land`. Resolves
   * with undefined, too, where the other one got none that can be kept.
   */
  follow(): Promise<CachedAnswer | undefined> | undefined;
  /** Ends what others follow. `stored`: resolves when those who come later find the answer in the table. */
  land(cached: CachedAnswer | undefined, stored?: Promise<unknown>): void;
}

export interface AnswerCache {
  /** `material`: all that decides what is answered, and for whom. Rejects where the secret of the installation cannot be read. */
  place(material: string): Promise<CachePlace>;
}
