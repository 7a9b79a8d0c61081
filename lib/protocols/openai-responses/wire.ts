/**
 * What the Responses protocol answers and takes: the types of OpenAI's SDK, which are erased, and what compatible hosts add. A field that
 * is not here is neither read nor written.
 */
import type {
  Response,
  ResponseContentPartDoneEvent,
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseOutputText,
  ResponseReasoningItem,
  ResponseStreamEvent,
  ResponseTextConfig,
  Tool as ResponseTool,
  ResponseUsage,
  ToolChoiceCustom,
  ToolChoiceFunction,
  ToolChoiceTypes,
  WebSearchTool,
} from 'openai/resources/responses/responses';
import type { Reasoning as Reasoned } from 'openai/resources/shared';
import type { Wire } from '../../core/formats/json-object.ts';

/** `error`: what proxies write in place of an event. `param` and the like: of the event `error`. */
export type Event = Wire<ResponseStreamEvent | { readonly error: unknown }>;
export type Answer = Wire<Response>;
export type Incomplete = Wire<Response.IncompleteDetails>;

/** `namespace`: of a call of a tool in a group. */
export type Item = Wire<ResponseOutputItem | { readonly namespace: string }>;
export type Part = Wire<ResponseContentPartDoneEvent['part']>;
export type ReasoningPart = Wire<ResponseReasoningItem.Summary | ResponseReasoningItem.Content>;
export type Annotation = Wire<ResponseOutputText['annotations'][number]>;

/** A call of OpenAI's own that wraps calls of the caller's tools. */
export type Wrapper = Wire<{ readonly tool_uses: readonly object[] }>;
export type Wrapped = Wire<{ readonly recipient_name: string; readonly parameters: object }>;
/** The arguments of xAI's search. */
export type SearchArguments = Wire<{ readonly url: string; readonly query: string }>;

/** xAI's costs and counts of tools. */
export type Usage = Wire<
  | ResponseUsage
  | {
      readonly cost: unknown;
      readonly cost_in_usd_ticks: number;
      readonly num_server_side_tools_used: number;
      readonly server_side_tool_usage_details: object;
    }
>;

/** `logprobs`: xAI. */
export type Body = Wire<ResponseCreateParams | { readonly logprobs: boolean }>;
/** `max_tokens`: OpenRouter. */
export type Reasoning = Wire<Reasoned | { readonly max_tokens: number }>;
export type Text = Wire<ResponseTextConfig>;
/** `name`: of a participant, sent for the host to reject. `namespace`: of a tool in a group. */
export type SentItem = Wire<ResponseInputItem | { readonly name: string; readonly namespace: string }>;
export type SentPart = Wire<ResponseInputContent>;
export type Tool = Wire<ResponseTool>;
/** `external_web_access`, `search_content_types`: newer than the SDK. */
export type SearchTool = Wire<
  WebSearchTool | { readonly external_web_access: boolean; readonly search_content_types: readonly string[] }
>;
export type ToolChoice = Wire<ToolChoiceFunction | ToolChoiceCustom | ToolChoiceTypes>;
