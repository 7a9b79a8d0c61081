/** What Anthropic's protocol answers and takes, by the types of its SDK, which are erased: a field that it does not have is neither read nor written. */
import type {
  BetaBase64PDFSource,
  BetaCacheControlEphemeral,
  BetaCacheCreation,
  BetaContentBlock,
  BetaContentBlockParam,
  BetaIterationsUsage,
  BetaMessage,
  BetaOutputConfig,
  BetaOutputTokensDetails,
  BetaRawContentBlockDelta,
  BetaRawMessageDeltaEvent,
  BetaRawMessageStreamEvent,
  BetaServerToolUsage,
  BetaTextCitation,
  BetaThinkingConfigParam,
  BetaTool,
  BetaToolChoice,
  BetaURLImageSource,
  BetaUsage,
  BetaWebSearchResultBlock,
  BetaWebSearchTool20250305,
  BetaWebSearchToolResultBlock,
  MessageCreateParams,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { Wire } from '../../core/formats/json-object.ts';

export type Message = Wire<BetaMessage>;
export type Event = Wire<BetaRawMessageStreamEvent | { readonly error: unknown }>;
export type Block = Wire<BetaContentBlock | BetaWebSearchToolResultBlock>;
export type Delta = Wire<BetaRawContentBlockDelta>;
export type End = Wire<BetaRawMessageDeltaEvent.Delta>;
export type Citation = Wire<BetaTextCitation>;
export type SearchResult = Wire<BetaWebSearchResultBlock>;
export type Round = Wire<BetaUsage | BetaIterationsUsage[number]>;
export type Cache = Wire<BetaCacheCreation>;
export type Tools = Wire<BetaServerToolUsage>;
export type Output = Wire<BetaOutputTokensDetails>;

/** `response_format`, `reasoning_effort` and `max_tool_calls`: not Anthropic's, sent for it to reject. */
export type Body = Wire<
  | MessageCreateParams
  | { readonly response_format: unknown; readonly reasoning_effort: string; readonly max_tool_calls: number }
>;
export type SentBlock = Wire<BetaContentBlockParam>;
export type Source = Wire<BetaBase64PDFSource | BetaURLImageSource>;
export type CacheMarker = Wire<BetaCacheControlEphemeral>;
export type Tool = Wire<BetaTool>;
export type ToolChoice = Wire<BetaToolChoice>;
export type Thinking = Wire<BetaThinkingConfigParam>;
export type OutputConfig = Wire<BetaOutputConfig>;
/** `search_context_size`: OpenAI's. */
export type WebSearchTool = Wire<BetaWebSearchTool20250305 | { readonly search_context_size: string }>;

export type ErrorBody = Wire<{ readonly type: string; readonly message: string; readonly details: object }>;
export type ErrorDetails = Wire<{ readonly error_code: string }>;

export type StopDetails = Wire<{ readonly explanation: string }>;
export type SearchInput = Wire<{ readonly query: string }>;
