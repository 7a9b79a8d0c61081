/**
 * The items of the Responses operation in their public shape, as they are answered, stored, listed and read back, with every short
 * form expanded. What a caller may write is wider: see `item-schema.ts`.
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

interface InputText extends Sourced {
  readonly type: 'input_text';
  readonly text: string;
}

interface InputImage extends Sourced {
  readonly type: 'input_image';
  readonly image_url: string;
  readonly detail: 'auto' | 'low' | 'high' | 'original';
}

/** Has exactly one of `file_data` (a data URL) and `file_url`. */
export interface InputFile extends Sourced {
  readonly type: 'input_file';
  readonly file_data?: string;
  readonly file_url?: string;
  readonly filename?: string;
}

export type InputContent = InputText | InputImage | InputFile;

interface ItemBase extends Sourced {
  readonly id?: string;
  readonly status: ItemStatus;
}

export interface InputMessage extends ItemBase {
  readonly type: 'message';
  readonly role: 'user' | 'system' | 'developer';
  readonly content: readonly InputContent[];
}

export interface AssistantItem extends ItemBase {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: readonly (OutputText | Refusal)[];
  readonly phase?: string;
}

export interface FunctionCallItem extends ItemBase {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  /** Absent for a function without one. */
  readonly namespace?: string;
  readonly arguments: string;
}

/** A call of a custom tool. */
export interface CustomCallItem extends ItemBase {
  readonly type: 'custom_tool_call';
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
}

export interface CallOutput extends ItemBase {
  readonly type: 'function_call_output' | 'custom_tool_call_output';
  readonly call_id: string;
  readonly output: string | readonly InputContent[];
}

interface ReasoningText {
  readonly type: 'reasoning_text';
  readonly text: string;
}

export interface ReasoningInput extends ItemBase {
  readonly type: 'reasoning';
  readonly summary: readonly SummaryText[];
  readonly content?: readonly ReasoningText[];
  readonly encrypted_content?: string;
}

export interface WebSearchInput extends Sourced {
  readonly id?: string;
  readonly type: 'web_search_call';
  readonly status: 'in_progress' | 'searching' | 'completed' | 'failed';
  readonly action: JsonObject;
}

/** An item that only the Responses API has, in its own shape. Stored and listed as that. */
export interface ProtocolItemInput extends Sourced {
  readonly type: 'protocol_item';
  readonly id?: string;
  readonly item: JsonObject;
}

/** Refers to a stored item. */
interface ItemReference extends Sourced {
  readonly type: 'item_reference';
  readonly id: string;
}

/** Any item but a reference. */
export type ConversationItem =
  | InputMessage
  | AssistantItem
  | FunctionCallItem
  | CustomCallItem
  | CallOutput
  | ReasoningInput
  | WebSearchInput
  | ProtocolItemInput;

export type InputItem = ConversationItem | ItemReference;

type Written<Item> = Item & { readonly id: string };

export type OutputMessage = Written<AssistantItem>;
export type FunctionCall = Written<FunctionCallItem>;
export type CustomToolCall = Written<CustomCallItem>;
export type WebSearchItem = Written<WebSearchInput>;

/** A `protocol_item` is as upstream sent it, but for the id. */
export type OutputItem =
  | OutputMessage
  | ReasoningItem
  | FunctionCall
  | CustomToolCall
  | WebSearchItem
  | ProtocolItemInput;

/** The item in its public shape. */
export const publicItem = (item: OutputItem): object => (item.type === 'protocol_item' ? item.item : item);
