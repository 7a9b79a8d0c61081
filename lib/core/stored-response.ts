/** What the Responses operation keeps for later turns, and where. */
import type { JsonObject } from './generation/request.ts';

/** A response as it is kept, in the words of the public interface. */
export interface StoredResponse {
  /** As it was answered, without `debug`; its reasoning always with `encrypted_content`. */
  readonly response: JsonObject;
  /** Every item that it was made from, those of earlier turns first; each has an id. */
  readonly input: readonly JsonObject[];
}

/** What is kept of a tenant's responses until it expires. Nobody finds what another tenant keeps. */
export interface ResponseStore {
  find(tenant: string, id: string): Promise<StoredResponse | undefined>;
  /** Rejects where it could not be kept whole. */
  keep(tenant: string, id: string, kept: StoredResponse): Promise<void>;
  /** False where there was none. */
  forget(tenant: string, id: string): Promise<boolean>;
}
