/**
 * What the Converse API answers and takes, as far as it is used. A field that is not here is neither read nor written. Source: docs.aws.amazon.com Bedrock API
 * reference, Converse and ConverseStream.
 */
import type { Wire } from '../../core/formats/json-object.ts';

export type Answer = Wire<{
  readonly output: object;
  readonly stopReason: string;
  readonly usage: object;
  readonly serviceTier: object;
  readonly performanceConfig: object;
}>;
export type Output = Wire<{ readonly message: object }>;
export type Message = Wire<{ readonly content: readonly object[] }>;

/** An event of a stream. Its end and its counts have the fields of an answer. */
export type Event = Answer &
  Wire<{ readonly contentBlockIndex: number; readonly start: object; readonly delta: object }>;
export type Start = Wire<{ readonly toolUse: object }>;

export type Block = Wire<{
  readonly text: string;
  readonly toolUse: object;
  readonly reasoningContent: object;
  readonly citationsContent: object;
}>;
export type Delta = Wire<{
  readonly text: string;
  readonly toolUse: object;
  readonly reasoningContent: object;
  readonly citation: object;
}>;
/** `type`: `server_tool_use` for a tool that the provider runs. */
export type ToolUse = Wire<{
  readonly toolUseId: string;
  readonly name: string;
  readonly type: string;
  readonly input: unknown;
}>;
/** In a body it has a member for each kind, in a stream the fields of one. */
export type Reasoning = Wire<{
  readonly reasoningText: object;
  readonly redactedContent: string;
  readonly text: string;
  readonly signature: string;
}>;
export type Cited = Wire<{ readonly content: readonly object[]; readonly citations: readonly object[] }>;
export type Citation = Wire<{ readonly title: string; readonly location: object }>;
export type Location = Wire<{ readonly web: object }>;
export type WebLocation = Wire<{ readonly url: string }>;

export type Usage = Wire<{
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly cacheDetails: readonly object[];
}>;
export type CacheDetail = Wire<{ readonly ttl: string; readonly inputTokens: number }>;
export type ServiceTier = Wire<{ readonly type: string }>;
export type Performance = Wire<{ readonly latency: string }>;

/** Both spellings of the message are in use, and `__type` where no header names the exception. */
export type Exception = Wire<{
  readonly message: string;
  readonly Message: string;
  readonly originalMessage: string;
  readonly __type: string;
}>;

export type Body = Wire<{
  readonly system: readonly object[];
  readonly messages: readonly object[];
  readonly inferenceConfig: object;
  readonly toolConfig: object;
  readonly outputConfig: object;
  readonly additionalModelRequestFields: object;
  readonly requestMetadata: object;
  readonly serviceTier: object;
}>;
export type Inference = Wire<{
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly stopSequences: readonly string[];
}>;
export type JsonSchema = Wire<{
  readonly name: string;
  readonly description: string;
  readonly schema: string;
}>;
/** What is passed on to Claude and Nova, and parameters that are sent for a model to reject. */
export type Additional = Wire<{
  readonly thinking: object;
  readonly output_config: object;
  readonly reasoningConfig: object;
  readonly reasoning_effort: string;
  readonly response_format: object;
  readonly top_k: number;
  readonly inferenceConfig: object;
}>;
export type ToolConfig = Wire<{ readonly tools: readonly object[]; readonly toolChoice: ToolChoice }>;
export type ToolChoice = Wire<{ readonly tool: object; readonly any: object; readonly auto: object }>;
export type ToolSpec = Wire<{
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly json: object };
  readonly strict: boolean;
}>;
export type SentBlock = Wire<{
  readonly text: string;
  readonly image: Media;
  readonly document: Media;
  readonly toolUse: object;
  readonly toolResult: object;
  readonly toolSpec: object;
  readonly reasoningContent: object;
  readonly cachePoint: object;
}>;
export type Media = Wire<{ readonly name: string; readonly format: string; readonly source: object }>;
export type ToolResult = Wire<{
  readonly toolUseId: string;
  readonly content: readonly object[];
  readonly status: string;
}>;
