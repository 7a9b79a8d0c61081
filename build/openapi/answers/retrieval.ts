/** The answers of embeddings, reranking and moderations. */
import * as z from 'zod';
import { always, costInUsage, count, debug, integer, list, named, object, text } from './shared.ts';

export const embeddings = named('Embeddings', 'A list of vectors.', {
  object: always('list'),
  data: list(
    z.object({
      object: always('embedding'),
      index: integer('The position of the text in `input`.'),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('The vector: numbers, or 32-bit little-endian floats as base64.'),
    }),
    'One vector for each text, in order.',
  ),
  model: text('The requested model.'),
  usage: object('Token counts.', {
    prompt_tokens: count('Tokens of all texts.'),
    total_tokens: count('The same number.'),
    cost: costInUsage,
  }),
  debug,
});

export const ranking = named('Ranking', 'Documents by their relevance.', {
  id: text('The id of the request.'),
  object: always('list'),
  model: text('The model that answered.'),
  results: list(
    z.object({
      index: integer('The position of the document in `documents`.'),
      relevance_score: z.number().describe('Higher is more relevant.'),
      document: z
        .looseObject({ text: text('What was ranked, or the field of this name.') })
        .describe('The document as it was sent, when it was asked for.')
        .optional(),
    }),
    'The best first, each document once.',
  ),
  meta: object("Cohere's form of the use.", {
    api_version: object('The version of this form.', { version: text('Always `2`.') }),
    billed_units: object('What is charged for.', {
      search_units: count('Search units: queries with up to a hundred documents.').optional(),
      input_tokens: count('Tokens, where they are charged for.').optional(),
    }),
    tokens: object('Tokens, when the provider counts them.', {
      input_tokens: count('Of query and documents.'),
    }).optional(),
  }),
  usage: object('What was used, as far as the provider counts it; else an estimate of what it charges for.', {
    total_tokens: count('Tokens of query and documents.').optional(),
    search_units: count('Search units.').optional(),
    cost: costInUsage,
  }),
  debug,
});

export const moderations = named('Moderations', 'What texts and images were classified as.', {
  id: text('The id of the classification.'),
  model: text('The model that answered.'),
  results: list(
    z.object({
      flagged: z.boolean().describe('Whether a category applies.'),
      categories: z
        .record(z.string(), z.union([z.boolean(), z.null()]))
        .describe('Whether each category applies.'),
      category_scores: z.record(z.string(), z.number()).describe('From 0 to 1, how certain that is.'),
      category_applied_input_types: z
        .record(z.string(), z.array(z.string()))
        .describe('Which kinds of input each category was looked for in, where the model says it.')
        .optional(),
    }),
    'One result for each text, or one for all parts together.',
  ),
  debug,
});
