/**
 * The items of a request's input as the gateway stores and lists them: the public shape, with every short form expanded.
 * `item-schema.ts` has what a caller may write, `items.ts` what the gateway answers.
 */

import type { Sourced } from '../../../core/generation/original/source.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ItemStatus, OutputText, Refusal, SummaryText } from './items.ts';

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
