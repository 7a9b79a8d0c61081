/**
 * What the Gemini API and Vertex answer, as far as it is read. A field that is not here is not read. Sources: ai.google.dev,
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
