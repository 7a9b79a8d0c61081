/**
 * What the Gemini API and Vertex answer and take, as far as it is used. A field that is not here is neither read nor written. Sources: ai.google.dev,
 * GenerateContentResponse; cloud.google.com, the same of Vertex; google.rpc.Status and its details.
 */
import type { Wire } from '../../core/formats/json-object.ts';

/** A body, or a frame of a stream. */
export type Answer = Wire<{
  candidates: object[];
  usageMetadata: object;
  promptFeedback: object;
  error: object;
}>;
export type PromptFeedback = Wire<{ blockReason: string }>;
export type Candidate = Wire<{
  index: number;
  content: object;
  finishReason: string;
  groundingMetadata: object;
  logprobsResult: object;
}>;
export type Content = Wire<{ parts: object[] }>;

/** `toolCall`, `toolResponse`: steps with a tool that Google runs. */
export type Part = Wire<{
  text: string;
  thought: boolean;
  thoughtSignature: string;
  functionCall: object;
  functionResponse: object;
  inlineData: object;
  fileData: object;
  toolCall: object;
  toolResponse: object;
  audioTranscription: object;
}>;
/** `partialArgs`, `willContinue`: Vertex streams arguments in pieces. */
export type FunctionCall = Wire<{
  id: string;
  name: string;
  args: object;
  partialArgs: object[];
  willContinue: boolean;
}>;
export type PartialArg = Wire<{
  jsonPath: string;
  stringValue: string;
  numberValue: number;
  boolValue: boolean;
  willContinue: boolean;
}>;
export type HostedCall = Wire<{ toolType: string; args: object }>;
export type HostedArgs = Wire<{ queries: string[] }>;
export type InlineData = Wire<{ data: string; mimeType: string }>;

export type Logprobs = Wire<{ topCandidates: object[]; chosenCandidates: object[] }>;
export type TopCandidates = Wire<{ candidates: object[] }>;
export type TokenLogprob = Wire<{ token: string; logProbability: number }>;

export type Grounding = Wire<{
  webSearchQueries: string[];
  groundingChunks: object[];
  groundingSupports: object[];
}>;
export type GroundingChunk = Wire<{ web: object; maps: object; retrievedContext: object }>;
export type WebSource = Wire<{ uri: string; title: string }>;
export type GroundingSupport = Wire<{ segment: object; groundingChunkIndices: number[] }>;
export type Segment = Wire<{ partIndex: number; startIndex: number; endIndex: number; text: string }>;

/** `serviceTier`: the Gemini API. `trafficType`: Vertex. */
export type Usage = Wire<{
  promptTokenCount: number;
  cachedContentTokenCount: number;
  candidatesTokenCount: number;
  thoughtsTokenCount: number;
  toolUsePromptTokenCount: number;
  totalTokenCount: number;
  promptTokensDetails: object[];
  cacheTokensDetails: object[];
  candidatesTokensDetails: object[];
  serviceTier: string;
  trafficType: string;
}>;
export type ModalityCount = Wire<{ modality: string; tokenCount: number }>;

export type Status = Wire<{ code: number; message: string; status: string; details: object[] }>;
/** ErrorInfo, QuotaFailure, BadRequest or RetryInfo. */
export type StatusDetail = Wire<{
  reason: string;
  violations: object[];
  fieldViolations: object[];
  retryDelay: string;
}>;
export type Violation = Wire<{ quotaId: string; field: string }>;

export type Body = Wire<{
  systemInstruction: object;
  contents: object[];
  tools: object[];
  toolConfig: object;
  generationConfig: object;
  serviceTier: string;
}>;
/** `name`: of a participant, and `reasoning_effort`: not Google's, sent for it to reject. */
export type SentContent = Wire<{ role: string; parts: object[]; name: string }>;
export type Config = Wire<{
  temperature: number;
  topP: number;
  topK: number;
  maxOutputTokens: number;
  frequencyPenalty: number;
  presencePenalty: number;
  stopSequences: string[];
  seed: number;
  candidateCount: number;
  responseLogprobs: boolean;
  logprobs: number;
  responseMimeType: string;
  responseJsonSchema: object;
  thinkingConfig: ThinkingConfig;
  reasoning_effort: string;
}>;
export type ThinkingConfig = Wire<{
  thinkingBudget: number;
  thinkingLevel: string;
  includeThoughts: boolean;
}>;
export type Tool = Wire<{ functionDeclarations: object[]; googleSearch: object }>;
export type FunctionDeclaration = Wire<{ name: string; description: string; parametersJsonSchema: object }>;
export type ToolConfig = Wire<{
  functionCallingConfig: FunctionCallingConfig;
  includeServerSideToolInvocations: boolean;
}>;
export type FunctionCallingConfig = Wire<{ mode: string; allowedFunctionNames: string[] }>;
export type FunctionResponse = Wire<{ id: string; name: string; response: object; parts: object[] }>;
export type FileData = Wire<{ fileUri: string; mimeType: string }>;
