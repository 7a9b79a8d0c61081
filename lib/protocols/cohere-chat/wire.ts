/**
 * What Cohere's chat answers and takes, as far as it is used. A field that is not here is neither read nor written. Source: docs.cohere.com, v2 Chat and its
 * streaming events.
 */
import type { Wire } from '../../core/formats/json-object.ts';

export type Answer = Wire<{
  readonly message: object;
  readonly finish_reason: string;
  readonly usage: object;
}>;
export type Event = Wire<{ readonly type: string; readonly index: number; readonly delta: object }>;

/** In a stream, each member is one element of the body's list. */
export type Message = Wire<{
  readonly content: object;
  readonly tool_plan: string;
  readonly tool_calls: object;
  readonly citations: object;
}>;
export type Part = Wire<{ readonly text: string; readonly thinking: string }>;
export type ToolCall = Wire<{ readonly id: string; readonly function: object }>;
export type CalledFunction = Wire<{ readonly name: string; readonly arguments: string }>;

export type Citation = Wire<{
  readonly start: number;
  readonly end: number;
  readonly sources: readonly object[];
  readonly type: string;
}>;
export type Source = Wire<{ readonly document: object; readonly tool_output: object }>;
export type Document = Wire<{ readonly url: string; readonly title: string }>;

export type Usage = Wire<{
  readonly tokens: object;
  readonly billed_units: object;
  readonly cached_tokens: number;
}>;
export type Tokens = Wire<{ readonly input_tokens: number; readonly output_tokens: number }>;
export type ErrorBody = Wire<{ readonly message: string }>;

/** `reasoning_effort`: not Cohere's, sent for it to reject. */
export type Body = Wire<{
  readonly model: string;
  readonly messages: readonly object[];
  readonly tools: readonly object[];
  readonly strict_tools: boolean;
  readonly tool_choice: unknown;
  readonly response_format: object;
  readonly thinking: object;
  readonly reasoning_effort: string;
  readonly max_tokens: number;
  readonly p: number;
  readonly k: number;
  readonly stop_sequences: readonly string[];
  readonly stream: boolean;
}>;
export type Format = Wire<{ readonly type: string; readonly json_schema: object }>;
export type Thinking = Wire<{ readonly type: string; readonly token_budget: number }>;
export type SentTool = Wire<{ readonly type: string; readonly function: object }>;
export type SentFunction = Wire<{
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}>;
export type SentMessage = Wire<{
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id: string;
  readonly tool_calls: readonly object[];
  readonly tool_plan: string;
  readonly name: string;
}>;
export type SentCall = Wire<{
  readonly id: string;
  readonly type: string;
  readonly function: CalledFunction;
}>;
/** `file`: OpenAI's, sent for Cohere to reject. */
export type SentPart = Wire<{
  readonly type: string;
  readonly text: string;
  readonly thinking: string;
  readonly image_url: object;
  readonly file: object;
}>;
