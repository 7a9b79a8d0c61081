/**
 * The internal request to generate: readers of the public APIs (chat, Responses) produce it, encoders of provider
 * protocols consume it.
 *
 * GenerationParameters keep their public names everywhere, so that rules, records, errors and documentation use the same
 * names. Everything else is camelCase.
 */

import type { FieldPaths, Sourced } from './source.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** A prompt cache marker of the caller: caches everything up to and with the item that it is on. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** The lifetime, as a number with `s`, `m` or `h`; absent: the provider's default. */
  readonly ttl?: string;
}

export interface TextPart extends Sourced {
  readonly type: 'text';
  readonly text: string;
  readonly cacheControl?: CacheControl;
}

/** An image for the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface ImagePart extends Sourced {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly cacheControl?: CacheControl;
}

/** A document for the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface FilePart extends Sourced {
  readonly type: 'file';
  readonly url: string;
  /** What the caller says it is; absent: a PDF. */
  readonly mediaType?: string;
  /** Set where the target takes only the text of the file, which the gateway then fetches from `url`. */
  readonly asText?: true;
  readonly filename?: string;
  readonly cacheControl?: CacheControl;
}

/** A recording for the model. `url` is `data:audio/<format>;base64,<bytes>`. */
export interface AudioPart extends Sourced {
  readonly type: 'audio';
  readonly url: string;
  readonly cacheControl?: CacheControl;
}

/** A film for the model, with its sound. `url` is `https:`, or `data:video/<format>;base64,<bytes>`. */
export interface VideoPart extends Sourced {
  readonly type: 'video';
  readonly url: string;
  readonly cacheControl?: CacheControl;
}

export type ContentPart = TextPart | ImagePart | FilePart | AudioPart | VideoPart;

/**
 * The position of a piece of an assistant message among all its pieces (texts, reasoning, calls, searches), from 0. Either
 * all pieces of a message have one or none has; without positions, texts come before calls.
 */
interface Positioned {
  readonly position?: number;
}

/** A text that the model wrote. Texts of one `position` are one text. */
export interface AssistantText extends TextPart, Positioned {
  /** The kind of text, from OpenAI's newest models; sent back to them unchanged. */
  readonly phase?: string;
}

/** What the caller calls a tool. Tools of different namespaces may have the same name. */
export interface ToolIdentity {
  readonly name: string;
  /** The group of tools that it belongs to. */
  readonly namespace?: string;
  /** A custom tool is called with a text; absent: a function, which is called with JSON. */
  readonly kind?: 'custom';
}

/** A call that the model made of a tool of the caller. */
export interface ToolCall extends Positioned, Sourced, ToolIdentity {
  readonly id: string;
  /** Exactly as the model wrote it: JSON text, empty for a call without arguments, or the text for a custom tool. */
  readonly arguments: string;
  readonly cacheControl?: CacheControl;
}

/** A web search that the provider made, with its action in the public shape. */
export interface WebSearchCall extends Positioned {
  readonly id: string;
  readonly action: JsonObject;
}

/**
 * An item of the Responses API that no other protocol has, such as a call of a hosted tool, its result, or tools that are
 * added to a conversation. It goes back to that protocol as it is.
 */
export interface ProtocolItem extends Positioned, Sourced {
  readonly item: JsonObject;
  /** The tools that it offers the model from there on. */
  readonly tools?: readonly Tool[];
}

/** The provider family of a piece of reasoning. It is sent back only to that family. */
export type ReasoningFormat = string;

/** One piece of a model's reasoning, to be sent back byte for byte (public: `reasoning_details`). */
export type ReasoningDetail = Positioned & {
  readonly format: ReasoningFormat;
  /**
   * Orders the details of one message. If the pieces of the message have no `position`, it also counts the details, calls
   * and texts (all texts as one) before it.
   */
  readonly index: number;
  /** The tool call that the piece belongs to, or the item that it is a part of. */
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
  /** Readable reasoning without details (public: `reasoning_content`). */
  readonly reasoning?: string;
  readonly reasoningDetails: readonly ReasoningDetail[];
  /** Absent: none. */
  readonly webSearches?: readonly WebSearchCall[];
  /** Absent: none. */
  readonly items?: readonly ProtocolItem[];
  /** False for a last message that the target answers, though its host could continue it. */
  readonly continued?: false;
}

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

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

/** From the lowest to the highest. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** OpenAI's service tiers. */
export const serviceTiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'] as const;
export type ServiceTier = (typeof serviceTiers)[number];

/** Whether answers may name a tier: providers also have others. */
export const isPublicTier = (tier: string | undefined): tier is ServiceTier =>
  serviceTiers.some((name) => name === tier);

/**
 * What the caller set, under its public name; absent means not set. An encoder translates each of them or sends it under
 * this name: only a normalization rule can strip one.
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
  readonly service_tier?: ServiceTier;
  readonly store?: boolean;
  readonly metadata?: { readonly [key: string]: string };
  /** Sampling as hosts of open models have it. */
  readonly top_k?: number;
  readonly min_p?: number;
  readonly repetition_penalty?: number;
  /** Tokens for reasoning, in place of an effort. Callers write `reasoning.max_tokens` or `thinking.budget_tokens`. */
  readonly reasoning_max_tokens?: number;
  /** What the answer is expected to be, for the most part. */
  readonly prediction?: JsonObject;
  readonly prompt_cache_retention?: 'in_memory' | '24h';
  readonly prompt_cache_options?: JsonObject;
  readonly moderation?: JsonObject;
  /** Which reasoning of earlier turns the model sees. */
  readonly reasoning_context?: 'auto' | 'current_turn' | 'all_turns';
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
  /** Absent: none. */
  readonly hostedTools?: readonly HostedTool[];
  /** Fields of the items of hosted tools that are answered only on request, in the Responses API's names. */
  readonly include?: readonly string[];
  readonly parameters: GenerationParameters;
  /** The caller's paths of parameters, and of `messages`, where these have other names. */
  readonly parameterPaths?: FieldPaths;
  /** Fields of the provider's own protocol, which are put over the encoded body. */
  readonly nativeFields?: JsonObject;
  /** True where they ask for something whose cost has no known bound. */
  readonly unbounded?: true;
  /** The text that follows what is generated: the one message is what comes before. Only for models with the trait `fillsIn`. */
  readonly suffix?: string;
  /** Whether the caller wants a stream. The upstream call is streamed exactly then. */
  readonly stream: boolean;
}
