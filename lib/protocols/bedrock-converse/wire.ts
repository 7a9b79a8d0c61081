/**
 * What the Converse API answers and takes, as far as it is used. A field that is not here is neither read nor written. Source: docs.aws.amazon.com Bedrock API
 * reference, Converse and ConverseStream.
 */
import type { Wire } from '../../core/formats/json-object.ts';

export type Answer = Wire<{
  output: object;
  stopReason: string;
  usage: object;
  serviceTier: object;
  performanceConfig: object;
}>;
export type Output = Wire<{ message: object }>;
export type Message = Wire<{ content: object[] }>;

/** An event of a stream. Its end and its counts have the fields of an answer. */
export type Event = Answer & Wire<{ contentBlockIndex: number; start: object; delta: object }>;
export type Start = Wire<{ toolUse: object }>;

export type Block = Wire<{
  text: string;
  toolUse: object;
  reasoningContent: object;
  citationsContent: object;
}>;
export type Delta = Wire<{ text: string; toolUse: object; reasoningContent: object; citation: object }>;
/** `type`: `server_tool_use` for a tool that the provider runs. */
export type ToolUse = Wire<{ toolUseId: string; name: string; type: string; input: unknown }>;
/** In a body it has a member for each kind, in a stream the fields of one. */
export type Reasoning = Wire<{
  reasoningText: object;
  redactedContent: string;
  text: string;
  signature: string;
}>;
export type Cited = Wire<{ content: object[]; citations: object[] }>;
export type Citation = Wire<{ title: string; location: object }>;
export type Location = Wire<{ web: object }>;
export type WebLocation = Wire<{ url: string }>;

export type Usage = Wire<{
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheWriteInputTokens: number;
  cacheDetails: object[];
}>;
export type CacheDetail = Wire<{ ttl: string; inputTokens: number }>;
export type ServiceTier = Wire<{ type: string }>;
export type Performance = Wire<{ latency: string }>;

/** Both spellings of the message are in use, and `__type` where no header names the exception. */
export type Exception = Wire<{ message: string; Message: string; originalMessage: string; __type: string }>;

export type Body = Wire<{
  system: object[];
  messages: object[];
  inferenceConfig: object;
  toolConfig: object;
  outputConfig: object;
  additionalModelRequestFields: object;
  requestMetadata: object;
  serviceTier: object;
}>;
export type Inference = Wire<{
  maxTokens: number;
  temperature: number;
  topP: number;
  stopSequences: string[];
}>;
export type JsonSchema = Wire<{ name: string; description: string; schema: string }>;
/** What is passed on to Claude and Nova, and parameters that are sent for a model to reject. */
export type Additional = Wire<{
  thinking: object;
  output_config: object;
  reasoningConfig: object;
  reasoning_effort: string;
  response_format: object;
  top_k: number;
  inferenceConfig: object;
}>;
export type ToolConfig = Wire<{ tools: object[]; toolChoice: ToolChoice }>;
export type ToolChoice = Wire<{ tool: object; any: object; auto: object }>;
export type ToolSpec = Wire<{
  name: string;
  description: string;
  inputSchema: { json: object };
  strict: boolean;
}>;
export type SentBlock = Wire<{
  text: string;
  image: Media;
  document: Media;
  toolUse: object;
  toolResult: object;
  toolSpec: object;
  reasoningContent: object;
  cachePoint: object;
}>;
export type Media = Wire<{ name: string; format: string; source: object }>;
export type ToolResult = Wire<{ toolUseId: string; content: object[]; status: string }>;
