/**
 * What the embeddings APIs of Google, Cohere and Amazon answer, as far as it is read. A field that is not here is not read. Sources:
 * ai.google.dev, batchEmbedContents and countTokens; cloud.google.com, predict and embedContent; docs.cohere.com, v2 Embed; Bedrock user
 * guide, Titan and Nova embeddings.
 */
import type { Wire } from '../core/formats/json-object.ts';

export type GoogleAnswer = Wire<{
  embeddings: object[];
  embedding: object;
  usageMetadata: object;
  totalTokens: number;
}>;
export type GoogleEmbedding = Wire<{ values: number[]; statistics: object }>;
export type GoogleUsage = Wire<{ promptTokenCount: number }>;
export type Predictions = Wire<{ predictions: object[] }>;
export type Prediction = Wire<{ embeddings: object }>;
export type Statistics = Wire<{ token_count: number }>;

/** `embeddings`: by type, or a list if the model has only one type. */
export type CohereAnswer = Wire<{ embeddings: unknown; meta: object }>;
export type CohereEmbeddings = Wire<{ float: number[][] }>;
export type CohereMeta = Wire<{ billed_units: object; tokens: object }>;
export type CohereTokens = Wire<{ input_tokens: number }>;

export type NovaAnswer = Wire<{ embeddings: object[] }>;
export type NovaEmbedding = Wire<{ embedding: number[] }>;
export type TitanAnswer = Wire<{ embedding: number[]; inputTextTokenCount: number }>;
