/** The answers of the operations with short answers, and the error object of all. */
import * as z from 'zod';
import { modelStatuses } from '../../../lib/core/catalog/model.ts';
import { endpoints } from '../../../lib/core/catalog/model-endpoints.ts';
import { lifecycles } from '../../../lib/operations/models/model-object.ts';
import {
  always,
  choice,
  costInUsage,
  count,
  debug,
  flag,
  integer,
  list,
  named,
  nullable,
  object,
  text,
  unixSeconds,
} from './shared.ts';

const errorFields = {
  message: text('What is wrong and what to do. For people: do not parse it.'),
  type: text('The kind of error.'),
  param: nullable(text('The path of the field at fault, for example `messages.0.content`.')),
  code: nullable(text('The exact reason, for programs. `docs/reference/errors.md` lists the codes.')),
  resets_at: integer(
    'When the budget that is used up starts again, in Unix seconds. Only for budgets of a day, week or month.',
  ).optional(),
};

const isError = always('error');
const requestId = text('The id of the request, as in the header `x-request-id`.');

export const error = named(
  'Error',
  'The body of every error. Answers of API Gateway itself also have `type` and `request_id`.',
  {
    type: isError.optional(),
    error: object('The error.', errorFields),
    request_id: requestId.optional(),
  },
);

export const cohereError = named(
  'CohereError',
  "The body of every error of reranking: the message stands beside it, where Cohere's clients read it.",
  { message: text('What is wrong, and what to do.'), error: object('The error.', errorFields) },
);

export const anthropicError = named(
  'AnthropicError',
  "The body of every error of the Messages and Models operations, and the data of the event `error` of a stream: Anthropic's, with the `param` and `code` of this gateway.",
  {
    type: isError,
    error: object('The error.', {
      ...errorFields,
      details: object('What more is known, where clients act on it.', {
        error_code: text("Anthropic's code, for example `enforced_spend_limit_reached`."),
      }).optional(),
    }),
    request_id: requestId,
  },
);

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

const transcriptionUsage = object('What was used, where it is known.', {
  type: choice(['duration', 'tokens'], 'What is counted.'),
  seconds: z.number().describe('Of audio.').optional(),
  input_tokens: count('Tokens of audio and prompt.').optional(),
  output_tokens: count('Tokens of the text.').optional(),
  total_tokens: count('Both together.').optional(),
  input_token_details: object('Parts of `input_tokens`.', {
    audio_tokens: count('Of audio.'),
    text_tokens: count('Of the prompt.'),
  }).optional(),
  cost: costInUsage,
}).optional();

const span = {
  start: z.number().describe('When it begins, in seconds.'),
  end: z.number().describe('When it ends, in seconds.'),
};

const spokenSegment = {
  ...span,
  text: text('What is said.'),
  speaker: nullable(text('Who says it, with `diarized_json`: A, B and so on, or a known name.')).optional(),
};

export const transcription = named('Transcription', 'What is said in a recording.', {
  text: text('All of it.'),
  task: choice(['transcribe', 'translate'], 'With `verbose_json` and `diarized_json`.').optional(),
  language: nullable(text('The language that is spoken, with `verbose_json`, where it is known.')).optional(),
  duration: nullable(z.number().describe('Of the audio, in seconds, with both.')).optional(),
  segments: list(z.looseObject(spokenSegment), 'What is said one after the other, with both.').optional(),
  words: list(z.object({ word: text('The word.'), ...span }), 'With the granularity `word`.').optional(),
  languages: list(z.looseObject({}), 'Languages that were heard, of models that say so.').optional(),
  logprobs: list(z.looseObject({}), 'Log probabilities of tokens, when they were asked for.').optional(),
  usage: transcriptionUsage,
  debug,
});

export const transcriptionEvent = named('TranscriptionEvent', 'One event of a transcription.', {
  type: choice(
    ['transcript.text.segment', 'transcript.text.delta', 'transcript.text.done'],
    'What the event is. Only `done` is complete: a stream without it has failed.',
  ),
  delta: text('The next piece of the text.').optional(),
  text: text('All of the text, or that of the segment.').optional(),
  usage: transcriptionUsage,
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

const imageEcho = {
  background: text('The background of the images.').optional(),
  output_format: text('Their file format.').optional(),
  quality: text('Their quality.').optional(),
  size: text('Their size.').optional(),
};

const imageUsage = object('Token counts, when the provider reports them.', {
  input_tokens: count('Tokens of the prompt.'),
  input_tokens_details: object('Parts of `input_tokens`.', {
    text_tokens: count('Of text.'),
    image_tokens: count('Of images.'),
    cached_tokens: count('Read from a cache.'),
  }),
  output_tokens: count('Tokens of the images.'),
  output_tokens_details: object('Parts of `output_tokens`.', {
    image_tokens: count('Of images.'),
    text_tokens: count('Of text.'),
  }),
  total_tokens: count('Both together.'),
  cost: costInUsage,
}).optional();

const imageFile = text('The image file, as base64.');

export const images = named('Images', 'Generated images.', {
  created: unixSeconds,
  ...imageEcho,
  usage: imageUsage,
  debug,
  data: list(z.object({ b64_json: imageFile }), 'The images.'),
});

export const imageStreamEvent = named(
  'ImageStreamEvent',
  'An image of a stream: unfinished, or the last one.',
  {
    type: choice(
      [
        'image_generation.partial_image',
        'image_generation.completed',
        'image_edit.partial_image',
        'image_edit.completed',
      ],
      'What the event is. Only the last one is `completed`: a stream without it has failed.',
    ),
    created_at: unixSeconds,
    ...imageEcho,
    partial_image_index: count('Which of the unfinished images it is, from 0.').optional(),
    usage: imageUsage,
    debug,
    b64_json: imageFile,
  },
);

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

export const clientSecret = named('ClientSecret', 'A secret for realtime sessions. It is not stored.', {
  value: text('The secret: `ek_…`.'),
  expires_at: unixSeconds,
  session: z
    .record(z.string(), z.unknown())
    .describe("The session, as the provider has set it up. `model` is the provider's name."),
  debug,
});

export const model = named('Model', 'A model.', {
  id: text('`owner/model`, or the name of an alias.'),
  object: always('model'),
  created: unixSeconds,
  owned_by: text('The owner; `operator` for an alias.'),
  status: choice(modelStatuses, '`deprecated` models answer; `inactive` and `retired` ones do not.'),
  modalities: object('Kinds of content.', {
    input: list(z.string(), 'What it accepts.'),
    output: list(z.string(), 'What it returns.'),
  }),
  endpoints: list(z.enum(endpoints), 'The operations that it supports.'),
  aliases: list(
    z.string(),
    'Further names of the model, such as dated snapshots, without the owner.',
  ).optional(),
  targets: list(z.string(), 'Of an alias of the operator: the ids of its models.').optional(),
  type: z.literal('model').describe("Always `model`. This field and those below are for Anthropic's SDKs."),
  display_name: text(
    'A name for people: the id without the owner, with spaces and capitals (`claude-opus-4-5`: "Claude Opus 4.5"). Of an alias, its name.',
  ),
  created_at: text('`created` as a time (RFC 3339).'),
  lifecycle: choice(lifecycles, "The status in Anthropic's words: `inactive` is `retired`."),
  max_input_tokens: nullable(integer('The most tokens of input; null where it is not known.')),
  max_tokens: nullable(integer('The highest `max_tokens`; null where it is not known.')),
  capabilities: nullable(z.looseObject({})).describe(
    'Null for a model without the operation `messages`. What the model can do, each as `{"supported": true}`: `effort`, `image_input`, `pdf_input`, `server_tools`, `structured_outputs`, `thinking`. It is false, too, where the catalog does not know: `batch`, `citations`, `code_execution` and `context_management` are always false, though a Claude model may have them.',
  ),
});

export const models = named('Models', 'A list of models.', {
  object: always('list'),
  data: list(model, 'The models, by id.'),
  has_more: flag('Whether there are more models after this page, or before it for `before_id`.'),
  first_id: nullable(text('The id of the first model of this page.')),
  last_id: nullable(text('The id of the last model of this page.')),
});
