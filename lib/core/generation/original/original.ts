/** A request in a provider's own protocol, as its caller sent it. Targets of that protocol get it as it is. */
import type { JsonObject } from '../../formats/json-object.ts';

export interface OriginalRequest {
  /** The name of the protocol. */
  readonly protocol: string;
  /** The caller's body without the gateway's own fields. */
  readonly body: JsonObject;
  /** The headers of the protocol that the caller sent, by their names in lower case. No credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: it asks for nothing whose cost the translated request does not have. */
  readonly cost?: OriginalCost;
}

/** What the body may cost beside the translated request, which does not have it. */
export interface OriginalCost {
  /** Tools that the provider runs, by their kinds. */
  readonly tools: readonly string[];
  /** Models that the provider may call beside the one that is asked, and where the caller named them. */
  readonly models: readonly { readonly model: string; readonly param: string }[];
  /** What makes its tokens dearer, as answers name it. */
  readonly tier?: string;
  /** Whether something is asked for whose tokens have no bound. */
  readonly isUnbounded: boolean;
}
