/**
 * The items of the Responses operation in their public shape, as they are answered, stored and read back. What a caller
 * may write is wider: see `item-schema.ts`.
 */

import type { Sourced } from '../../../core/generation/original/source.ts';
import type { JsonObject } from '../../../core/generation/request.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** A web source that an answer cites; offsets count UTF-16 units of its own text part. */
export interface UrlCitationAnnotation {
  readonly type: 'url_citation';
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

export interface OutputText extends Sourced {
  readonly type: 'output_text';
  readonly text: string;
  /** Other annotations than these are as upstream sent them. */
  readonly annotations: readonly (UrlCitationAnnotation | JsonObject)[];
  readonly logprobs: readonly object[];
}

export interface Refusal {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface OutputMessage {
  readonly id: string;
  readonly type: 'message';
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly (OutputText | Refusal)[];
  readonly phase?: string;
}

export interface SummaryText {
  readonly type: 'summary_text';
  readonly text: string;
}

export interface ReasoningItem {
  readonly id: string;
  readonly type: 'reasoning';
  readonly summary: readonly SummaryText[];
  /** What goes back to the model, encoded by `encrypted-content.ts`; answered only to callers who ask for it. */
  readonly encrypted_content?: string | null;
}

export interface FunctionCall {
  readonly id: string;
  readonly type: 'function_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  /** Absent for a function without one. */
  readonly namespace?: string;
  readonly arguments: string;
}

export interface CustomToolCall {
  readonly id: string;
  readonly type: 'custom_tool_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
}

/** An item that only upstream knows, as it sent it, with an id of the gateway. */
interface ProtocolOutputItem {
  readonly type: 'protocol_item';
  readonly item: JsonObject;
}

export interface WebSearchItem {
  readonly id: string;
  readonly type: 'web_search_call';
  readonly status: 'in_progress' | 'searching' | 'completed' | 'failed';
  readonly action: JsonObject;
}

export type OutputItem =
  | OutputMessage
  | ReasoningItem
  | FunctionCall
  | CustomToolCall
  | WebSearchItem
  | ProtocolOutputItem;

/** The item in its public shape. */
export const publicItem = (item: OutputItem): object => (item.type === 'protocol_item' ? item.item : item);
