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

export type MessageWire = BetaMessage;
export type EventWire = BetaRawMessageStreamEvent | { readonly error: unknown };
export type BlockWire = BetaContentBlock | BetaWebSearchToolResultBlock;
export type DeltaWire = BetaRawContentBlockDelta;
export type EndWire = BetaRawMessageDeltaEvent.Delta;
export type CitationWire = BetaTextCitation;
export type SearchResultWire = BetaWebSearchResultBlock;
export type RoundWire = BetaUsage | BetaIterationsUsage[number];
export type CacheWire = BetaCacheCreation;
export type ToolsWire = BetaServerToolUsage;
export type OutputWire = BetaOutputTokensDetails;

export type WireEvent = Wire<EventWire>;
export type WireBlock = Wire<BlockWire>;
export type WireDelta = Wire<DeltaWire>;
export type WireRound = Wire<RoundWire>;
