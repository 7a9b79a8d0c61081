/** What Anthropic's protocol answers, by the types of its SDK, which are erased: a field that it does not have is not read. */
import type {
  BetaCacheCreation,
  BetaContentBlock,
  BetaIterationsUsage,
  BetaMessage,
  BetaOutputTokensDetails,
  BetaRawContentBlockDelta,
  BetaRawMessageDeltaEvent,
  BetaRawMessageStreamEvent,
  BetaServerToolUsage,
  BetaTextCitation,
  BetaUsage,
  BetaWebSearchResultBlock,
  BetaWebSearchToolResultBlock,
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
