/**
 * What the chat protocol answers and takes: the types of OpenAI's SDK, which are erased, and what compatible hosts add. A field that is
 * not here is neither read nor written.
 */
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionCustomTool,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageCustomToolCall,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionTokenLogprob,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { FunctionDefinition } from 'openai/resources/shared';
import type { Wire } from '../../core/formats/json-object.ts';

/** A body, or a chunk of a stream. `x_groq`: Groq. `citations` and `search_results`: Perplexity, xAI. The rest is of errors. */
export type Answer = Wire<ChatCompletion | ChatCompletionChunk | HostAnswer>;
interface HostAnswer {
  readonly x_groq: object;
  readonly citations: readonly unknown[];
  readonly search_results: readonly object[];
  readonly error: object;
  readonly message: string;
  readonly code: string;
}

export type GroqAnswer = Wire<{ readonly usage: CompletionUsage }>;

/** `usage`: Moonshot. `stop_reason`: vLLM, its pull request 2976. `matched_stop`: SGLang. */
export type Choice = Wire<ChatCompletion.Choice | ChatCompletionChunk.Choice | HostChoice>;
interface HostChoice {
  readonly usage: CompletionUsage;
  readonly stop_reason: string;
  readonly matched_stop: string;
}

/** A message, or what a chunk adds to it. `reasoning_content`: DeepSeek and most others. `reasoning` and its details: OpenRouter, Groq. */
export type Delta = Wire<ChatCompletionMessage | ChatCompletionChunk.Choice.Delta | HostDelta>;
interface HostDelta {
  readonly reasoning_content: string;
  readonly reasoning: string;
  readonly reasoning_details: readonly object[];
}

/** Of a content that is a list: Mistral. */
export type Part = Wire<{ readonly type: string; readonly text: string; readonly thinking: unknown }>;

/** OpenRouter's API reference, "Reasoning details". */
export type Detail = Wire<{
  readonly type: string;
  readonly id: string;
  readonly index: number;
  readonly format: string;
  readonly text: string;
  readonly summary: string;
  readonly data: string;
  readonly signature: string;
}>;

export type ToolCall = Wire<ChatCompletionChunk.Choice.Delta.ToolCall | ChatCompletionMessageCustomToolCall>;
export type CalledTool = Wire<
  ChatCompletionChunk.Choice.Delta.ToolCall.Function | ChatCompletionMessageCustomToolCall.Custom
>;

export type Annotation = Wire<ChatCompletionMessage.Annotation>;
export type UrlCitation = Wire<ChatCompletionMessage.Annotation.URLCitation>;
export type SearchResult = Wire<{ readonly url: string; readonly title: string }>;

export type Logprobs = Wire<ChatCompletion.Choice.Logprobs>;
export type TokenLogprob = Wire<ChatCompletionTokenLogprob>;

/** `prompt_cache_hit_tokens`: DeepSeek. `cached_tokens`: Moonshot. `num_cached_tokens`: Fireworks. `num_sources_used`: xAI. Costs: `counts.ts`. */
export type Usage = Wire<CompletionUsage | HostUsage>;
interface HostUsage {
  readonly prompt_cache_hit_tokens: number;
  readonly cached_tokens: number;
  readonly num_cached_tokens: number;
  readonly num_sources_used: number;
}
export type PromptDetails = Wire<
  | CompletionUsage.PromptTokensDetails
  | { readonly cache_write_tokens: number; readonly cache_creation_input_tokens: number }
>;
export type CompletionDetails = Wire<CompletionUsage.CompletionTokensDetails>;

/** An error, nested or flat. `metadata`: OpenRouter. `innererror`: Azure. `detail`: validators of Python servers. */
export type ErrorBody = Wire<{
  readonly error: unknown;
  readonly message: unknown;
  readonly detail: unknown;
  readonly code: unknown;
  readonly type: string;
  readonly param: string;
  readonly status: number;
  readonly status_code: number;
  readonly metadata: object;
  readonly innererror: object;
  readonly inner_error: object;
}>;
export type ErrorMetadata = Wire<{ readonly raw: string; readonly reasons: readonly string[] }>;
export type Finding = Wire<{ readonly loc: readonly (string | number)[]; readonly msg: string }>;

/** `reasoning`: OpenRouter. Hosts' own fields are in their dialects. */
export type Body = Wire<ChatCompletionCreateParams | { readonly reasoning: object }>;
/** `cache_control`: Anthropic's, which OpenRouter and others take. */
type Marked = { readonly cache_control: object };
export type Tool = Wire<ChatCompletionFunctionTool | ChatCompletionCustomTool | Marked>;
export type FunctionTool = Wire<FunctionDefinition>;
export type CustomTool = Wire<ChatCompletionCustomTool.Custom>;
export type SentMessage = Wire<ChatCompletionMessageParam>;
export type SentCall = Wire<ChatCompletionMessageToolCall>;
export type SentPart = Wire<ChatCompletionContentPart | Marked | { readonly video_url: object }>;
