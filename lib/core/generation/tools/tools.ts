/** The tools of an internal request: the caller's, the provider's, and the choice among them. */
import type { JsonObject } from '../../formats/json-object.ts';
import type { CacheControl } from '../content.ts';
import type { Sourced } from '../original/source.ts';

/** What the caller calls a tool. Tools of different namespaces may have the same name. */
export interface ToolIdentity {
  readonly name: string;
  /** The group of tools that it belongs to. */
  readonly namespace?: string;
  /** A custom tool is called with a text; absent: a function, which is called with JSON. */
  readonly kind?: 'custom';
}

/** A tool the model may call. `parameters` is a JSON Schema; absent means a function without parameters. */
export interface Tool extends Sourced, ToolIdentity {
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  readonly cacheControl?: CacheControl;
  /** The texts that a custom tool takes, as the Responses API writes it; absent: any text. */
  readonly format?: JsonObject;
  /** The purpose of the namespace. Sent only in protocols that have namespaces. */
  readonly namespaceDescription?: string;
  /** Further fields of the Responses API, which no other protocol has. */
  readonly extras?: JsonObject;
  /** What the caller calls it, where it is sent as something else. */
  readonly original?: ToolIdentity;
}

/** The provider's own web search, which the model may use beside the caller's functions. */
export interface WebSearchTool extends Sourced {
  /** Its position in the caller's list of tools. */
  readonly position: number;
  /** `web_search`, `web_search_preview`, or one of these with a date. */
  readonly type: string;
  /** How much of the results the model reads. */
  readonly contextSize?: 'low' | 'medium' | 'high';
  /** The user's approximate location. `country` has two letters. */
  readonly userLocation?: {
    readonly city?: string;
    readonly country?: string;
    readonly region?: string;
    readonly timezone?: string;
  };
  /** Only these domains are searched. */
  readonly allowedDomains?: readonly string[];
  /** False: only what the provider has stored of the web is searched. */
  readonly externalAccess?: boolean;
  /** What is searched for: `text`, `image`. */
  readonly contentTypes?: readonly string[];
}

/** A tool of the Responses API that the provider runs itself, or that its models know, as the caller wrote it. */
export interface HostedTool extends Sourced {
  /** Its position in the caller's list of tools. */
  readonly position: number;
  readonly tool: JsonObject;
  /** The caller's tool choice, where it is this tool. */
  readonly choice?: JsonObject;
}

/** `web_search`: the model must use the provider's own search. */
export type ToolChoice = 'none' | 'auto' | 'required' | 'web_search' | ToolIdentity;
