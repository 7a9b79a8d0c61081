/**
 * The one intermediate between public dialects and provider wires: what a caller asks a model to generate.
 *
 * Readers (chat, responses) produce it, encoders consume it. Parameters keep their public wire names through the
 * whole house, so that rules, records, errors and documents speak one language; everything else is camelCase.
 */

export type JsonObject = { readonly [key: string]: unknown };

/** The prompt-caching marker a caller may set: what comes before it, and what it is set on, shall be kept. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** How long, as a number with `s`, `m` or `h`; absent: as long as the provider does by itself. */
  readonly ttl?: string;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cacheControl?: CacheControl;
}

/** An image the caller shows the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly cacheControl?: CacheControl;
}

export type ContentPart = TextPart | ImagePart;

/** A call of a caller's function, made by the model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; may be empty for a call without arguments. */
  readonly arguments: string;
}

/** Which provider family a piece of reasoning belongs to; it is only ever sent back to that family. */
export type ReasoningFormat = string;

/** One piece of a model's reasoning, kept so that it can be sent back byte for byte (public: `reasoning_details`). */
export type ReasoningDetail = {
  readonly format: ReasoningFormat;
  /**
   * Orders the details of one message. Where a wire lets reasoning stand between other pieces it is also its place: how
   * many details, calls and texts (all texts together are one) came before it.
   */
  readonly index: number;
  /** The tool call that the piece belongs to, where the provider ties it to one. */
  readonly id?: string;
} & (
  | { readonly type: 'reasoning.text'; readonly text: string; readonly signature?: string }
  | { readonly type: 'reasoning.summary'; readonly summary: string }
  | { readonly type: 'reasoning.encrypted'; readonly data: string }
);

interface MessageBase {
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
  readonly content: readonly TextPart[];
  readonly refusal?: string;
  readonly toolCalls: readonly ToolCall[];
  /** Readable reasoning that came without details (public: `reasoning_content`). */
  readonly reasoning?: string;
  readonly reasoningDetails: readonly ReasoningDetail[];
}

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function the model may call. `parameters` is a JSON Schema; absent means a function without parameters. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  readonly cacheControl?: CacheControl;
}

export type ToolChoice = 'none' | 'auto' | 'required' | { readonly name: string };

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
export interface Parameters {
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
}

export type ParameterName = keyof Parameters;

export interface GenerationRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly parameters: Parameters;
  /** Whether the caller wants the answer as it is made. The upstream call is streamed exactly then. */
  readonly stream: boolean;
}
