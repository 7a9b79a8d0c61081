/** The answers of chat and of text completions: one body, or the chunks of a stream. */
import * as z from 'zod';
import {
  always,
  answeringModel,
  choice,
  costInUsage,
  count,
  debug,
  integer,
  list,
  moderation,
  named,
  nullable,
  object,
  reasoningTokens,
  text,
  tokenDetails,
  tokenLogprob,
  unixSeconds,
} from './shared.ts';

const usage = named('ChatUsage', 'Token counts.', {
  prompt_tokens: count('Tokens of the request, cached ones included.'),
  completion_tokens: count('Generated tokens, reasoning included.'),
  total_tokens: count('Both together.'),
  prompt_tokens_details: tokenDetails.describe('Parts of `prompt_tokens`.'),
  completion_tokens_details: reasoningTokens.describe('Parts of `completion_tokens`.'),
  cost: costInUsage,
});

const reasoningDetail = named('ReasoningDetailAnswer', 'A piece of reasoning. Send it back unchanged.', {
  type: choice(['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'], 'The kind of detail.'),
  format: text('The provider family that made it.'),
  index: integer('Its position in the list.'),
  id: text('The tool call that it belongs to.').optional(),
  text: text('The reasoning text.').optional(),
  signature: text("The provider's signature of the text.").optional(),
  summary: text('A summary of the reasoning.').optional(),
  data: text('Reasoning that only the provider can read.').optional(),
});

const citation = named('UrlCitation', 'A web source that the answer cites.', {
  type: always('url_citation'),
  url_citation: object('The source.', {
    url: text('The address of the source.'),
    title: text('Its title.'),
    start_index: integer('Where the cited text begins in the message, in characters.'),
    end_index: integer('Where it ends.'),
  }),
});

const extraContent = z
  .looseObject({
    google: z
      .looseObject({
        thought_signature: text('The signature of the reasoning that led to the call.'),
      })
      .describe('Data of Gemini.'),
  })
  .optional()
  .describe('Data of the provider that belongs to the call. Send it back unchanged.');

const toolCall = named('ToolCall', 'A call of one of the tools of the request.', {
  id: text('The id of the call.'),
  type: always('function'),
  function: object('The function to call.', {
    name: text('The name of the function.'),
    arguments: text('The arguments, as JSON text.'),
  }),
  extra_content: extraContent,
});

const details = list(reasoningDetail, 'The reasoning with its signatures.').optional();
const annotations = list(citation, 'The sources that the answer cites.').optional();

const message = named(
  'ChatAnswerMessage',
  'The answer of the model. Send it back unchanged to continue the conversation.',
  {
    role: always('assistant'),
    content: nullable(text('The text. Null when the model only called tools or refused.')),
    refusal: nullable(text('Why the model refused, if it did.')),
    reasoning_content: text('The readable reasoning.').optional(),
    reasoning_details: details,
    tool_calls: list(toolCall, 'The tools that the model calls.').optional(),
    annotations,
  },
);

const logprobs = nullable(
  object('Log probabilities, when the request asks for them.', {
    content: nullable(z.array(tokenLogprob)).describe('Of the text.'),
    refusal: nullable(z.array(tokenLogprob)).describe('Of the refusal.'),
  }),
);

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

const meta = {
  system_fingerprint: text("The provider's fingerprint of its configuration.").optional(),
  service_tier: text('The tier that the provider used.').optional(),
  moderation,
};

const choiceIndex = integer('The position of the choice: 0, and more with `n`.');

export const chatCompletion = named('ChatCompletion', 'A chat completion.', {
  id: text('The id of the completion.'),
  object: always('chat.completion'),
  created: unixSeconds,
  model: answeringModel,
  ...meta,
  choices: list(
    z.object({
      index: choiceIndex,
      message,
      logprobs,
      finish_reason: choice(finishReasons, 'Why the model stopped.'),
    }),
    'The answers: one, or as many as `n`.',
  ),
  usage: usage.optional().describe('Token counts.'),
  debug,
});

const deltaCall = z.object({
  index: integer('Which call of the choice this belongs to: 0, 1, and so on.'),
  id: text('The id of the call, in its first chunk.').optional(),
  type: z.literal('function').optional().describe('Always `function`, in its first chunk.'),
  function: object('The function to call.', {
    name: text('The name of the function, in the first chunk of the call.').optional(),
    arguments: text('The next piece of the arguments.'),
  }),
  extra_content: extraContent,
});

const delta = z.object({
  role: z.literal('assistant').optional().describe('Always `assistant`, in the first chunk of a choice.'),
  content: text('The next piece of text.').optional(),
  refusal: text('The next piece of a refusal.').optional(),
  reasoning_content: text('The next piece of readable reasoning.').optional(),
  reasoning_details: details,
  tool_calls: list(deltaCall, 'The next piece of a tool call.').optional(),
  annotations,
});

export const chatCompletionChunk = named(
  'ChatCompletionChunk',
  'One event of a chat stream, as `data: {…}`. The stream ends with `data: [DONE]`. When it fails after its first token, the last event is an error object, without `[DONE]`.',
  {
    id: text('The id of the completion, the same in every chunk.'),
    object: always('chat.completion.chunk'),
    created: unixSeconds,
    model: answeringModel,
    ...meta,
    choices: list(
      z.object({
        index: choiceIndex,
        delta: delta.describe('What is new.'),
        logprobs,
        finish_reason: nullable(
          choice(finishReasons, 'Why the model stopped, in the last chunk of a choice.'),
        ),
      }),
      'The choice that has something new. Empty in the usage chunk.',
    ),
    usage: nullable(usage)
      .optional()
      .describe('Token counts, in the last chunk, when `stream_options.include_usage` is set.'),
    debug,
  },
);

const tokenTexts = nullable(
  object('The probabilities of the tokens, when `logprobs` is set.', {
    tokens: list(z.string(), 'The tokens.'),
    token_logprobs: list(z.number(), 'The logarithm of the probability of each.'),
    top_logprobs: list(
      z.record(z.string(), z.number()),
      'The most likely tokens at each position, with theirs.',
    ),
    text_offset: list(z.int(), 'Where each token begins in the generated text, in characters.'),
  }),
);

const commonOfTexts = {
  created: unixSeconds,
  model: answeringModel,
  object: always('text_completion'),
  system_fingerprint: text("The provider's version of the model.").optional(),
  service_tier: text('The tier that processed the request.').optional(),
  debug,
};

const textChoice = {
  index: integer('The number of the choice, from 0.'),
  text: text('The text. Reasoning is not part of it.'),
  logprobs: tokenTexts,
};

export const completion = named('Completion', 'A text completion.', {
  id: text('The id of the completion.'),
  ...commonOfTexts,
  choices: list(
    z.object({ ...textChoice, finish_reason: choice(finishReasons, 'Why the model stopped.') }),
    'The completions: one, or as many as `n`.',
  ),
  usage: usage.optional().describe('Token counts.'),
});

export const completionChunk = named(
  'CompletionChunk',
  'One event of the stream of a text completion, as `data: {…}`. The stream ends with `data: [DONE]`. When it fails after its first token, the last event is an error object, without `[DONE]`.',
  {
    id: text('The id of the completion, the same in every chunk.'),
    ...commonOfTexts,
    choices: list(
      z.object({
        ...textChoice,
        text: text('The next piece of the text.'),
        finish_reason: nullable(
          choice(finishReasons, 'Why the model stopped, in the last chunk of a choice.'),
        ),
      }),
      'The choice that has something new. Empty in the usage chunk.',
    ),
    usage: nullable(usage)
      .optional()
      .describe('Token counts, in the last chunk, when `stream_options.include_usage` is set.'),
  },
);
