/**
 * What Cohere's chat answers, as far as it is read. A field that is not here is not read. Source: docs.cohere.com, v2 Chat and its
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
