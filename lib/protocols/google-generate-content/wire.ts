/**
 * What the Gemini API and Vertex answer and take, as far as it is used. A field that is not here is neither read nor written. Sources: ai.google.dev,
 * GenerateContentResponse; cloud.google.com, the same of Vertex; google.rpc.Status and its details.
 */
import type { Wire } from '../../core/formats/json-object.ts';

/** A body, or a frame of a stream. */
export type Answer = Wire<{
  readonly candidates: readonly object[];
  readonly usageMetadata: object;
  readonly promptFeedback: object;
  readonly error: object;
}>;
export type PromptFeedback = Wire<{ readonly blockReason: string }>;
export type Candidate = Wire<{
  readonly index: number;
  readonly content: object;
  readonly finishReason: string;
  readonly groundingMetadata: object;
  readonly logprobsResult: object;
}>;
export type Content = Wire<{ readonly parts: readonly object[] }>;

/** `toolCall`, `toolResponse`: steps with a tool that Google runs. */
export type Part = Wire<{
  readonly text: string;
  readonly thought: boolean;
  readonly thoughtSignature: string;
  readonly functionCall: object;
  readonly functionResponse: object;
  readonly inlineData: object;
  readonly fileData: object;
  readonly toolCall: object;
  readonly toolResponse: object;
}>;
/** `partialArgs`, `willContinue`: Vertex streams arguments in pieces. */
export type FunctionCall = Wire<{
  readonly id: string;
  readonly name: string;
  readonly args: object;
  readonly partialArgs: readonly object[];
  readonly willContinue: boolean;
}>;
export type PartialArg = Wire<{
  readonly jsonPath: string;
  readonly stringValue: string;
  readonly numberValue: number;
  readonly boolValue: boolean;
  readonly willContinue: boolean;
}>;
export type HostedCall = Wire<{ readonly toolType: string; readonly args: object }>;
export type HostedArgs = Wire<{ readonly queries: readonly string[] }>;
export type InlineData = Wire<{ readonly data: string; readonly mimeType: string }>;

export type Logprobs = Wire<{
  readonly topCandidates: readonly object[];
  readonly chosenCandidates: readonly object[];
}>;
export type TopCandidates = Wire<{ readonly candidates: readonly object[] }>;
export type TokenLogprob = Wire<{ readonly token: string; readonly logProbability: number }>;

export type Grounding = Wire<{
  readonly webSearchQueries: readonly string[];
  readonly groundingChunks: readonly object[];
  readonly groundingSupports: readonly object[];
}>;
export type GroundingChunk = Wire<{
  readonly web: object;
  readonly maps: object;
  readonly retrievedContext: object;
}>;
export type WebSource = Wire<{ readonly uri: string; readonly title: string }>;
export type GroundingSupport = Wire<{
  readonly segment: object;
  readonly groundingChunkIndices: readonly number[];
}>;
export type Segment = Wire<{
  readonly partIndex: number;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text: string;
}>;

/** `serviceTier`: the Gemini API. `trafficType`: Vertex. */
export type Usage = Wire<{
  readonly promptTokenCount: number;
  readonly cachedContentTokenCount: number;
  readonly candidatesTokenCount: number;
  readonly thoughtsTokenCount: number;
  readonly toolUsePromptTokenCount: number;
  readonly totalTokenCount: number;
  readonly promptTokensDetails: readonly object[];
  readonly cacheTokensDetails: readonly object[];
  readonly candidatesTokensDetails: readonly object[];
  readonly serviceTier: string;
  readonly trafficType: string;
}>;
export type ModalityCount = Wire<{ readonly modality: string; readonly tokenCount: number }>;

export type Status = Wire<{
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details: readonly object[];
}>;
/** ErrorInfo, QuotaFailure, BadRequest or RetryInfo. */
export type StatusDetail = Wire<{
  readonly reason: string;
  readonly violations: readonly object[];
  readonly fieldViolations: readonly object[];
  readonly retryDelay: string;
}>;
export type Violation = Wire<{ readonly quotaId: string; readonly field: string }>;

export type Body = Wire<{
  readonly systemInstruction: object;
  readonly contents: readonly object[];
  readonly tools: readonly object[];
  readonly toolConfig: object;
  readonly generationConfig: object;
  readonly serviceTier: string;
}>;
/** `name`: of a participant, and `reasoning_effort`: not Google's, sent for it to reject. */
export type SentContent = Wire<{
  readonly role: string;
  readonly parts: readonly object[];
  readonly name: string;
}>;
export type Config = Wire<{
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly maxOutputTokens: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  readonly stopSequences: readonly string[];
  readonly seed: number;
  readonly candidateCount: number;
  readonly responseLogprobs: boolean;
  readonly logprobs: number;
  readonly responseMimeType: string;
  readonly responseJsonSchema: object;
  readonly thinkingConfig: ThinkingConfig;
  readonly reasoning_effort: string;
}>;
export type ThinkingConfig = Wire<{
  readonly thinkingBudget: number;
  readonly thinkingLevel: string;
  readonly includeThoughts: boolean;
}>;
export type Tool = Wire<{ readonly functionDeclarations: readonly object[]; readonly googleSearch: object }>;
export type FunctionDeclaration = Wire<{
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: object;
}>;
export type ToolConfig = Wire<{
  readonly functionCallingConfig: FunctionCallingConfig;
  readonly includeServerSideToolInvocations: boolean;
}>;
export type FunctionCallingConfig = Wire<{
  readonly mode: string;
  readonly allowedFunctionNames: readonly string[];
}>;
export type FunctionResponse = Wire<{
  readonly id: string;
  readonly name: string;
  readonly response: object;
  readonly parts: readonly object[];
}>;
export type FileData = Wire<{ readonly fileUri: string; readonly mimeType: string }>;
