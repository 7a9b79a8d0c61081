/**
 * What the embeddings APIs of Google, Cohere and Amazon answer, as far as it is read. A field that is not here is not read. Sources:
 * ai.google.dev, batchEmbedContents and countTokens; cloud.google.com, predict and embedContent; docs.cohere.com, v2 Embed; Bedrock user
 * guide, Titan and Nova embeddings.
 */
import type { Wire } from '../core/formats/json-object.ts';

export type GoogleAnswer = Wire<{
  readonly embeddings: readonly object[];
  readonly embedding: object;
  readonly usageMetadata: object;
  readonly totalTokens: number;
}>;
export type GoogleEmbedding = Wire<{ readonly values: readonly number[]; readonly statistics: object }>;
export type GoogleUsage = Wire<{ readonly promptTokenCount: number }>;
export type Predictions = Wire<{ readonly predictions: readonly object[] }>;
export type Prediction = Wire<{ readonly embeddings: object }>;
export type Statistics = Wire<{ readonly token_count: number }>;

/** `embeddings`: by type, or a list if the model has only one type. */
export type CohereAnswer = Wire<{ readonly embeddings: unknown; readonly meta: object }>;
export type CohereEmbeddings = Wire<{ readonly float: readonly (readonly number[])[] }>;
export type CohereMeta = Wire<{ readonly billed_units: object; readonly tokens: object }>;
export type CohereTokens = Wire<{ readonly input_tokens: number }>;

export type NovaAnswer = Wire<{ readonly embeddings: readonly object[] }>;
export type NovaEmbedding = Wire<{ readonly embedding: readonly number[] }>;
export type TitanAnswer = Wire<{
  readonly embedding: readonly number[];
  readonly inputTextTokenCount: number;
}>;
