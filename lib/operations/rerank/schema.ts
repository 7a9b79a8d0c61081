/** The schema of a rerank request: Cohere's fields in both of its versions, and those of Jina, Voyage and vLLM. Others are rejected. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import {
  atLeastOne,
  extraFields,
  integerBetween,
  jsonObject,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  someText,
  usageField,
} from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

const maxDocuments = 1_000;
/** In characters (code points). */
const maxQuery = 32_000;
const maxFields = 64;
/** Cohere's. */
const maxPriority = 999;

const fits = (query: string) => query.length <= maxQuery || [...query].length <= maxQuery;

export const rerankSchema = strictObjectOf({
  model: modelId,
  query: someText.check(z.refine(fits, `must have at most ${maxQuery} characters`)),
  documents: z.array(z.union([z.string(), jsonObject])).check(z.minLength(1), z.maxLength(maxDocuments)),
  top_n: atLeastOne,
  /** Voyage's name of `top_n`. */
  top_k: atLeastOne,
  rank_fields: () => nullish(z.array(someText).check(z.minLength(1), z.maxLength(maxFields))),
  return_documents: nullishFlag,
  max_tokens_per_doc: atLeastOne,
  /** Of Cohere's first version. */
  max_chunks_per_doc: atLeastOne,
  priority: () => nullish(integerBetween(0, maxPriority)),
  instruction: nullishText,
  truncation: nullishFlag,
  ...placeField,
  ...usageField,
  extra: () => nullish(strictObjectOf(extraFields)),
});

export type RerankBody = z.infer<typeof rerankSchema>;
