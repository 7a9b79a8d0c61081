/**
 * The internal request to generate: readers of the public APIs (chat, Responses) produce it, encoders of provider
 * protocols consume it. Its conversation is here; what messages hold, the tools and the parameters are in `content.ts`,
 * `tools.ts` and `parameters.ts`.
 *
 * GenerationParameters keep their public names everywhere, so that rules, records, errors and documentation use the same
 * names. Everything else is camelCase.
 */
import type { JsonObject } from '../formats/json-object.ts';
import type { CacheControl, ContentPart, TextPart } from './content.ts';
import type { OriginalRequest } from './original/original.ts';
import type { FieldPaths, Sourced } from './original/source.ts';
import type { GenerationParameters } from './parameters.ts';
import type { HostedTool, Tool, ToolIdentity, WebSearchTool } from './tools/tools.ts';

export type { JsonObject } from '../formats/json-object.ts';
export type * from './content.ts';
export type * from './parameters.ts';
export type * from './tools/tools.ts';

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

/** A call that the model made of a tool of the caller. */
export interface ToolCall extends Positioned, Sourced, ToolIdentity {
  readonly id: string;
  /** Exactly as the model wrote it: JSON text, empty for a call without arguments, or the text for a custom tool. */
  readonly arguments: string;
  readonly cacheControl?: CacheControl;
}

/** A web search that the provider made, with its action in the public shape. */
interface WebSearchCall extends Positioned {
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
  /** The model that made it, where that is known. */
  readonly model?: string;
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
  /** The caller's unchanged body, for targets of its protocol; absent: every target gets the translated request. */
  readonly original?: OriginalRequest | undefined;
  /** Whether the caller wants a stream. The upstream call is streamed exactly then. */
  readonly stream: boolean;
}
