/** The responses that the Responses API stores for later turns, and their store. */
import type { JsonObject } from './generation/request.ts';

/** A stored response, in the form of the public API. */
export interface StoredResponse {
  /** The answered response without `debug`; reasoning items always have `encrypted_content`. */
  readonly response: JsonObject;
  /** Every input item of the response, earlier turns first. Each has an id. */
  readonly input: readonly JsonObject[];
}

/** The stored responses of all tenants until they expire. A tenant finds only its own. */
export interface ResponseStore {
  find(tenant: string, id: string): Promise<StoredResponse | undefined>;
  /** Rejects if the response could not be stored completely. */
  put(tenant: string, id: string, stored: StoredResponse): Promise<void>;
  /** Returns false if there was none. */
  delete(tenant: string, id: string): Promise<boolean>;
}
