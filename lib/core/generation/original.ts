/** A request in a provider's own protocol, as its caller sent it. Targets of that protocol get it as it is. */
import type { JsonObject } from '../json-object.ts';

export interface OriginalRequest {
  /** The name of the protocol. */
  readonly protocol: string;
  /** The caller's body without the gateway's own fields. */
  readonly body: JsonObject;
  /** The headers of the protocol that the caller sent, by their names in lower case. No credentials. */
  readonly headers: Readonly<Record<string, string>>;
}
