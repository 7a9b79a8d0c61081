/** The responses that the Responses API stores for later turns, and their store. */
import type { JsonObject } from './generation/request.ts';

/** JSON bytes of a stored response with all of its input, before they are compressed. */
export const maxConversationBytes = 8 * 1024 * 1024;

/**
 * A stored beginning of a conversation, or its continuation, which never changes. The responses of a conversation share it:
 * each has the key, without which it cannot be read, so it is gone with the last of them.
 */
export interface SharedPart {
  /** The response with which it was stored. */
  readonly owner: string;
  readonly name: string;
  /** Base64. */
  readonly key: string;
  /** How many items of the table it takes. */
  readonly pieces: number;
  /** Its bytes of JSON. */
  readonly bytes: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** A stored response, in the form of the public API. */
export interface StoredResponse {
  /** The answered response without `debug`; reasoning items always have `encrypted_content`. */
  readonly response: JsonObject;
  /** Every input item of the response, earlier turns first, without those of `shared`. Each has an id. */
  readonly input: readonly JsonObject[];
  /** The items before these, in parts that an earlier response was stored with. */
  readonly shared?: readonly SharedPart[];
}

/** A stored response that was found. What it holds is read when it is asked for. */
export interface FoundResponse {
  /** Bytes of JSON, all input included. */
  readonly bytes: number;
  readonly shared: readonly SharedPart[];
  /** The input items after those of the shared parts. */
  readonly input: readonly JsonObject[];
  /** Undefined where it is damaged, or deleted by now. */
  readResponse(): Promise<JsonObject | undefined>;
  /** The input items of a shared part; likewise. */
  readPart(part: SharedPart): Promise<readonly JsonObject[] | undefined>;
}

/** The stored responses of all tenants until they expire. A tenant finds only its own. */
export interface ResponseStore {
  find(tenant: string, id: string): Promise<FoundResponse | undefined>;
  /** Rejects if the response could not be stored completely, or is larger than `maxConversationBytes`. */
  put(tenant: string, id: string, stored: StoredResponse): Promise<void>;
  /** Returns false if there was none. */
  delete(tenant: string, id: string): Promise<boolean>;
}

/** Every input item, oldest first; undefined where one is damaged, or deleted by now. */
export async function readInput(found: FoundResponse): Promise<readonly JsonObject[] | undefined> {
  const items: JsonObject[] = [];
  for (const part of found.shared) {
    const read = await found.readPart(part);
    if (!read) return undefined;
    for (const item of read) items.push(item);
  }
  return [...items, ...found.input];
}
