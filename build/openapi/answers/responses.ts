/** The response object, its items, and the answers of the operations on stored responses. */
import * as z from 'zod';
import {
  always,
  answeringModel,
  anyObject,
  choice,
  costInUsage,
  count,
  debug,
  estimated,
  flag,
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
} from './shared.ts';

const status = choice(['in_progress', 'completed', 'incomplete'], 'How far the item is.');

const citation = named('ResponseUrlCitation', 'A web source that a text cites.', {
  type: always('url_citation'),
  url: text('The address of the source.'),
  title: text('Its title.'),
  start_index: integer('Where the cited text begins in this part, in UTF-16 units.'),
  end_index: integer('Where it ends.'),
});

export const part = z
  .union([
    z.object({
      type: always('output_text'),
      text: text('The text.'),
      annotations: list(citation, 'The sources that the text cites.'),
      logprobs: list(tokenLogprob, 'Log probabilities, when the request asks for them.'),
    }),
    z.object({
      type: always('refusal'),
      refusal: text('Why the model refused.'),
    }),
  ])
  .meta({ id: 'ResponseOutputPart', description: 'A part of an output message.' });

const itemId = text('The id of the item.');

export const summaryPart = named('ResponseSummaryPart', 'A part of the readable reasoning.', {
  type: always('summary_text'),
  text: text('The text.'),
});

export const outputItem = z
  .union([
    z.object({
      id: itemId,
      type: always('message'),
      status,
      role: always('assistant'),
      content: list(part, 'Text and refusals.'),
      phase: text('The phase of the answer, on models that have phases.').optional(),
    }),
    z.object({
      id: itemId,
      type: always('function_call'),
      status,
      call_id: text('The id of the call. Its output repeats it.'),
      name: text('The name of the function.'),
      arguments: text('The arguments, as JSON text.'),
    }),
    z.object({
      id: itemId,
      type: always('reasoning'),
      summary: list(summaryPart, 'The readable reasoning.'),
      encrypted_content: nullable(
        text('The reasoning in the form that goes back to the model, on request.'),
      ).optional(),
    }),
    z.object({
      id: itemId,
      type: always('web_search_call'),
      status: choice(['in_progress', 'searching', 'completed', 'failed'], 'How far the search is.'),
      action: anyObject('What was searched, with its `sources` on request.'),
    }),
  ])
  .meta({ id: 'ResponseOutputItem', description: 'A message, a function call, reasoning, or a web search.' });

const usage = named('ResponseUsage', 'Token counts.', {
  input_tokens: count('Tokens of the request, cached ones included.'),
  input_tokens_details: tokenDetails.describe('Parts of `input_tokens`.'),
  output_tokens: count('Generated tokens, reasoning included.'),
  output_tokens_details: reasoningTokens.describe('Parts of `output_tokens`.'),
  total_tokens: count('Both together.'),
  cost: costInUsage,
});

const maybeText = (description: string) => nullable(text(description));
const maybeNumber = (description: string) => nullable(z.number()).describe(description);

/** What a response repeats of its request. */
const echo = {
  background: flag('Whether it was created in the background.'),
  frequency_penalty: z.literal(0).describe('Always 0: the operation has no penalties.'),
  presence_penalty: z.literal(0).describe('Always 0: the operation has no penalties.'),
  instructions: maybeText('The instructions of the request.'),
  max_output_tokens: maybeNumber('The limit of the request.'),
  max_tool_calls: maybeNumber('The limit of the request.'),
  metadata: z.record(z.string(), z.string()).describe('The metadata of the request.'),
  parallel_tool_calls: flag('As in the request.'),
  previous_response_id: maybeText('The response that this one continues.'),
  prompt_cache_key: maybeText('As in the request.'),
  reasoning: object('How the model was asked to reason.', {
    effort: maybeText('The effort of the request.'),
    summary: maybeText('The kind of summary of the request.'),
  }),
  safety_identifier: maybeText('As in the request.'),
  store: flag('Whether the response is stored.'),
  temperature: z.number().describe('As in the request.'),
  text: object('The form of the answer.', {
    format: anyObject('The form of the answer.'),
    verbosity: text('As in the request.'),
  }),
  tool_choice: z.union([z.string(), z.looseObject({})]).describe('As in the request.'),
  tools: list(z.looseObject({}), 'The tools of the request, in the flat form.'),
  top_logprobs: integer('As in the request.'),
  top_p: z.number().describe('As in the request.'),
  truncation: choice(['auto', 'disabled'], 'As in the request.'),
  user: maybeText('As in the request.'),
};

export const response = named('Response', 'A response.', {
  id: text('The id of the response.'),
  object: always('response'),
  created_at: integer('When it was created, in Unix seconds.'),
  completed_at: nullable(integer('When it was completed, in Unix seconds.')),
  model: answeringModel,
  status: choice(
    ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'],
    'How far the response is. One that was not created in the background is neither `queued` nor `cancelled`.',
  ),
  error: nullable(
    object('Why a response failed.', {
      code: choice(
        ['invalid_prompt', 'rate_limit_exceeded', 'server_error'],
        "OpenAI's code for the kind of failure.",
      ),
      message: text('What failed.'),
    }),
  ),
  incomplete_details: nullable(
    object('Why a response is incomplete.', {
      reason: choice(['max_output_tokens', 'content_filter'], 'The reason.'),
    }),
  ),
  output: list(outputItem, 'What the model answered, in order.'),
  usage: nullable(usage).describe('Token counts; null until the end, or if the provider reported none.'),
  service_tier: text('The tier that the provider used; before the end, the requested one.'),
  ...echo,
  moderation,
  debug,
});

export const deletedResponse = named('DeletedResponse', 'A response that is no longer stored.', {
  id: text('The id of the response.'),
  object: always('response'),
  deleted: z.literal(true).describe('Always `true`.'),
});

export const inputTokens = named('ResponseInputTokens', 'The number of input tokens of a response.', {
  object: always('response.input_tokens'),
  input_tokens: integer('The number of input tokens.'),
  estimated,
  debug,
});

export const compaction = named('ResponseCompaction', 'A compacted conversation.', {
  id: text('An id.'),
  object: always('response.compaction'),
  created_at: integer('When it was created, in Unix seconds.'),
  model: answeringModel,
  output: list(
    z.looseObject({}),
    'What the next request begins with: messages of the user, and an item of the type `compaction` that stands for the rest. With `created_by: gateway`, it is a summary that the model wrote, and any model can continue from it; without, only models of the same provider can.',
  ),
  usage: nullable(usage).describe('Token counts; null if the provider reported none.'),
  debug,
});

export const inputItems = named('ResponseInputItems', 'A page of the input that led to a response.', {
  object: always('list'),
  data: list(z.looseObject({}), 'The items, in the form in which they were sent, each with an `id`.'),
  first_id: text('The id of the first item of the page.'),
  last_id: text('The id of the last item of the page.'),
  has_more: flag('Whether another page follows.'),
});
