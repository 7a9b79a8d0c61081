/**
 * The one intermediate between public dialects and provider wires: what a caller asks a model to generate.
 *
 * Readers (chat, responses) produce it, encoders consume it. GenerationParameters keep their public wire names through the
 * whole house, so that rules, records, errors and documents speak one language; everything else is camelCase.
 */

import type { FieldPaths, Sourced } from './source.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** The prompt-caching marker a caller may set: what comes before it, and what it is set on, shall be kept. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** How long, as a number with `s`, `m` or `h`; absent: as long as the provider does by itself. */
  readonly ttl?: string;
}

export interface TextPart extends Sourced {
  readonly type: 'text';
  readonly text: string;
  readonly cacheControl?: CacheControl;
}

/** An image the caller shows the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface ImagePart extends Sourced {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly cacheControl?: CacheControl;
}

/** A document the caller shows the model. `url` is `https:`, or `data:application/pdf;base64,<bytes>`. */
export interface FilePart extends Sourced {
  readonly type: 'file';
  readonly url: string;
  readonly filename?: string;
  readonly cacheControl?: CacheControl;
}

export type ContentPart = TextPart | ImagePart | FilePart;

/**
 * Where a piece of an assistant message stands among all its pieces (texts, reasoning, calls, searches), from 0. Either
 * all pieces of a message have a place or none has one; without places, texts come before calls.
 */
interface Placed {
  readonly place?: number;
}

/** A text of the model's own. Texts of one place are one text. */
export interface AssistantText extends TextPart, Placed {
  /** What OpenAI's newest models say a text is; it goes back to them as it came. */
  readonly phase?: string;
}

/** A call of a caller's function, made by the model. */
export interface ToolCall extends Placed, Sourced {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; may be empty for a call without arguments. */
  readonly arguments: string;
}

/** A search of the web that the provider made by itself, in the public shape of its action. */
export interface WebSearchCall extends Placed {
  readonly id: string;
  readonly action: JsonObject;
}

/** Which provider family a piece of reasoning belongs to; it is only ever sent back to that family. */
export type ReasoningFormat = string;

/** One piece of a model's reasoning, kept so that it can be sent back byte for byte (public: `reasoning_details`). */
export type ReasoningDetail = Placed & {
  readonly format: ReasoningFormat;
  /**
   * Orders the details of one message. Where a wire lets reasoning stand between other pieces, and the message has no
   * places, it is also its place: how many details, calls and texts (all texts together are one) came before it.
   */
  readonly index: number;
  /** What the provider ties the piece to: a tool call, or the item that it is a part of. */
  readonly id?: string;
} & (
    | { readonly type: 'reasoning.text'; readonly text: string; readonly signature?: string }
    | { readonly type: 'reasoning.summary'; readonly summary: string }
    | { readonly type: 'reasoning.encrypted'; readonly data: string }
  );

interface MessageBase extends Sourced {
  readonly name?: string;
  readonly cacheControl?: CacheControl;
}

export interface SystemMessage extends MessageBase {
  readonly role: 'system';
  readonly content: readonly TextPart[];
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly content: readonly ContentPart[];
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly content: readonly AssistantText[];
  readonly refusal?: string;
  readonly toolCalls: readonly ToolCall[];
  /** Readable reasoning that came without details (public: `reasoning_content`). */
  readonly reasoning?: string;
  readonly reasoningDetails: readonly ReasoningDetail[];
  /** Absent: none. */
  readonly webSearches?: readonly WebSearchCall[];
}

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function the model may call. `parameters` is a JSON Schema; absent means a function without parameters. */
export interface Tool extends Sourced {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  readonly cacheControl?: CacheControl;
}

/** The provider's own search of the web, which the model may use beside the caller's functions. */
export interface WebSearchTool extends Sourced {
  /** Where it stands in the caller's list of tools. */
  readonly position: number;
  /** What the caller calls it: `web_search`, `web_search_preview`, or one of these with a date. */
  readonly type: string;
  /** How much of what it finds the model shall read. */
  readonly contextSize?: 'low' | 'medium' | 'high';
  /** Where the user is, roughly. `country` has two letters. */
  readonly userLocation?: {
    readonly city?: string;
    readonly country?: string;
    readonly region?: string;
    readonly timezone?: string;
  };
  /** Only these domains are searched. */
  readonly allowedDomains?: readonly string[];
}

/** `web_search`: the provider's own search, by force. */
export type ToolChoice = 'none' | 'auto' | 'required' | 'web_search' | { readonly name: string };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly description?: string;
        readonly schema?: JsonObject;
        readonly strict?: boolean;
      };
    };

/** From none to the most. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/**
 * What a caller set, under its public wire name; absent means not set. Every key here is either translated by an
 * encoder or sent upstream under this very name, so that only a normalization rule can take one away.
 */
export interface GenerationParameters {
  readonly temperature?: number;
  readonly top_p?: number;
  /** Deprecated alias of `max_completion_tokens`; both may be set, and the newer wins. */
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  readonly logit_bias?: { readonly [token: string]: number };
  readonly n?: number;
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly response_format?: ResponseFormat;
  readonly reasoning_effort?: ReasoningEffort;
  readonly user?: string;
  readonly service_tier?: 'auto' | 'default' | 'flex';
  readonly store?: boolean;
  readonly metadata?: { readonly [key: string]: string };
  /** The five below are known to the Responses operation alone. */
  readonly reasoning_summary?: 'auto' | 'concise' | 'detailed';
  readonly verbosity?: 'low' | 'medium' | 'high';
  readonly max_tool_calls?: number;
  readonly prompt_cache_key?: string;
  readonly safety_identifier?: string;
}

export type ParameterName = keyof GenerationParameters;

export interface GenerationRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** Absent: the model may not search the web. */
  readonly webSearch?: WebSearchTool;
  readonly parameters: GenerationParameters;
  /** The caller's paths of parameters, and of `messages`, where these have other names. */
  readonly parameterPaths?: FieldPaths;
  /** Fields of the provider's own wire, which go upstream as they are, over what the encoder wrote. */
  readonly nativeFields?: JsonObject;
  /** Whether the caller wants the answer as it is made. The upstream call is streamed exactly then. */
  readonly stream: boolean;
}
