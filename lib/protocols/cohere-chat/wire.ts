/**
 * What Cohere's chat answers and takes, as far as it is used. A field that is not here is neither read nor written. Source: docs.cohere.com, v2 Chat and its
 * streaming events.
 */
import type { Wire } from '../../core/formats/json-object.ts';

export type Answer = Wire<{ message: object; finish_reason: string; usage: object }>;
export type Event = Wire<{ type: string; index: number; delta: object }>;

/** In a stream, each member is one element of the body's list. */
export type Message = Wire<{ content: object; tool_plan: string; tool_calls: object; citations: object }>;
export type Part = Wire<{ text: string; thinking: string }>;
export type ToolCall = Wire<{ id: string; function: object }>;
export type CalledFunction = Wire<{ name: string; arguments: string }>;

export type Citation = Wire<{ start: number; end: number; sources: object[]; type: string }>;
export type Source = Wire<{ document: object; tool_output: object }>;
export type Document = Wire<{ url: string; title: string }>;

export type Usage = Wire<{ tokens: object; billed_units: object; cached_tokens: number }>;
export type Tokens = Wire<{ input_tokens: number; output_tokens: number }>;
export type ErrorBody = Wire<{ message: string }>;

/** `reasoning_effort`: not Cohere's, sent for it to reject. */
export type Body = Wire<{
  model: string;
  messages: object[];
  tools: object[];
  strict_tools: boolean;
  tool_choice: unknown;
  response_format: object;
  thinking: object;
  reasoning_effort: string;
  max_tokens: number;
  p: number;
  k: number;
  stop_sequences: string[];
  stream: boolean;
}>;
export type Format = Wire<{ type: string; json_schema: object }>;
export type Thinking = Wire<{ type: string; token_budget: number }>;
export type SentTool = Wire<{ type: string; function: object }>;
export type SentFunction = Wire<{ name: string; description: string; parameters: object }>;
export type SentMessage = Wire<{
  role: string;
  content: unknown;
  tool_call_id: string;
  tool_calls: object[];
  tool_plan: string;
  name: string;
}>;
export type SentCall = Wire<{ id: string; type: string; function: CalledFunction }>;
/** `file`: OpenAI's, sent for Cohere to reject. */
export type SentPart = Wire<{
  type: string;
  text: string;
  thinking: string;
  image_url: object;
  file: object;
}>;
