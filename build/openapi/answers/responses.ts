/** The response object, its items, and the answers of the operations on stored responses. */
import * as z from 'zod';
import {
  answeringModel,
  anyObject,
  costInUsage,
  count,
  debug,
  nullable,
  reasoningTokens,
  tokenDetails,
  tokenLogprob,
} from './shared.ts';

const status = z.enum(['in_progress', 'completed', 'incomplete']).describe('How far the item is.');

const citation = z
  .object({
    type: z.literal('url_citation').describe('Always `url_citation`.'),
    url: z.string().describe('The address of the source.'),
    title: z.string().describe('Its title.'),
    start_index: z.int().describe('Where the cited text begins in this part, in UTF-16 units.'),
    end_index: z.int().describe('Where it ends.'),
  })
  .meta({ id: 'ResponseUrlCitation', description: 'A web source that a text cites.' });

export const part = z
  .union([
    z.object({
      type: z.literal('output_text').describe('Always `output_text`.'),
      text: z.string().describe('The text.'),
      annotations: z.array(citation).describe('The sources that the text cites.'),
      logprobs: z.array(tokenLogprob).describe('Log probabilities, when the request asks for them.'),
    }),
    z.object({
      type: z.literal('refusal').describe('Always `refusal`.'),
      refusal: z.string().describe('Why the model refused.'),
    }),
  ])
  .meta({ id: 'ResponseOutputPart', description: 'A part of an output message.' });

const itemId = z.string().describe('The id of the item.');

export const summaryPart = z
  .object({
    type: z.literal('summary_text').describe('Always `summary_text`.'),
    text: z.string().describe('The text.'),
  })
  .meta({ id: 'ResponseSummaryPart', description: 'A part of the readable reasoning.' });

export const outputItem = z
  .union([
    z.object({
      id: itemId,
      type: z.literal('message').describe('Always `message`.'),
      status,
      role: z.literal('assistant').describe('Always `assistant`.'),
      content: z.array(part).describe('Text and refusals.'),
      phase: z.string().optional().describe('The phase of the answer, on models that have phases.'),
    }),
    z.object({
      id: itemId,
      type: z.literal('function_call').describe('Always `function_call`.'),
      status,
      call_id: z.string().describe('The id of the call. Its output repeats it.'),
      name: z.string().describe('The name of the function.'),
      arguments: z.string().describe('The arguments, as JSON text.'),
    }),
    z.object({
      id: itemId,
      type: z.literal('reasoning').describe('Always `reasoning`.'),
      summary: z.array(summaryPart).describe('The readable reasoning.'),
      encrypted_content: nullable(z.string())
        .optional()
        .describe('The reasoning in the form that goes back to the model, on request.'),
    }),
    z.object({
      id: itemId,
      type: z.literal('web_search_call').describe('Always `web_search_call`.'),
      status: z.enum(['in_progress', 'searching', 'completed', 'failed']).describe('How far the search is.'),
      action: anyObject('What was searched, with its `sources` on request.'),
    }),
  ])
  .meta({ id: 'ResponseOutputItem', description: 'A message, a function call, reasoning, or a web search.' });

const usage = z
  .object({
    input_tokens: count('Tokens of the request, cached ones included.'),
    input_tokens_details: tokenDetails.describe('Parts of `input_tokens`.'),
    output_tokens: count('Generated tokens, reasoning included.'),
    output_tokens_details: reasoningTokens.describe('Parts of `output_tokens`.'),
    total_tokens: count('Both together.'),
    cost: costInUsage,
  })
  .meta({ id: 'ResponseUsage', description: 'Token counts.' });

const text = (description: string) => nullable(z.string()).describe(description);
const number = (description: string) => nullable(z.number()).describe(description);

/** What a response repeats of its request. */
const echo = {
  background: z.literal(false).describe('Always `false`.'),
  frequency_penalty: z.literal(0).describe('Always 0: the operation has no penalties.'),
  presence_penalty: z.literal(0).describe('Always 0: the operation has no penalties.'),
  instructions: text('The instructions of the request.'),
  max_output_tokens: number('The limit of the request.'),
  max_tool_calls: number('The limit of the request.'),
  metadata: z.record(z.string(), z.string()).describe('The metadata of the request.'),
  parallel_tool_calls: z.boolean().describe('As in the request.'),
  previous_response_id: text('The response that this one continues.'),
  prompt_cache_key: text('As in the request.'),
  reasoning: z
    .object({
      effort: text('The effort of the request.'),
      summary: text('The kind of summary of the request.'),
    })
    .describe('How the model was asked to reason.'),
  safety_identifier: text('As in the request.'),
  store: z.boolean().describe('Whether the response is stored.'),
  temperature: z.number().describe('As in the request.'),
  text: z
    .object({
      format: anyObject('The form of the answer.'),
      verbosity: z.string().describe('As in the request.'),
    })
    .describe('The form of the answer.'),
  tool_choice: z.union([z.string(), z.looseObject({})]).describe('As in the request.'),
  tools: z.array(z.looseObject({})).describe('The tools of the request, in the flat form.'),
  top_logprobs: z.int().describe('As in the request.'),
  top_p: z.number().describe('As in the request.'),
  truncation: z.enum(['auto', 'disabled']).describe('As in the request.'),
  user: text('As in the request.'),
};

export const response = z
  .object({
    id: z.string().describe('The id of the response.'),
    object: z.literal('response').describe('Always `response`.'),
    created_at: z.int().describe('When it was created, in Unix seconds.'),
    completed_at: nullable(z.int()).describe('When it was completed, in Unix seconds.'),
    model: answeringModel,
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']).describe('How far the response is.'),
    error: nullable(
      z.object({
        code: z
          .enum(['invalid_prompt', 'rate_limit_exceeded', 'server_error'])
          .describe("OpenAI's code for the kind of failure."),
        message: z.string().describe('What failed.'),
      }),
    ).describe('Why a response failed.'),
    incomplete_details: nullable(
      z.object({ reason: z.enum(['max_output_tokens', 'content_filter']).describe('The reason.') }),
    ).describe('Why a response is incomplete.'),
    output: z.array(outputItem).describe('What the model answered, in order.'),
    usage: nullable(usage).describe('Token counts; null until the end, or if the provider reported none.'),
    service_tier: z.string().describe('The tier that the provider used; before the end, the requested one.'),
    ...echo,
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'Response', description: 'A response.' });

export const deletedResponse = z
  .object({
    id: z.string().describe('The id of the response.'),
    object: z.literal('response').describe('Always `response`.'),
    deleted: z.literal(true).describe('Always `true`.'),
  })
  .meta({ id: 'DeletedResponse', description: 'A response that is no longer stored.' });

export const inputTokens = z
  .object({
    object: z.literal('response.input_tokens').describe('Always `response.input_tokens`.'),
    input_tokens: z.int().describe('How many tokens the input has.'),
    estimated: z
      .literal(true)
      .optional()
      .describe('`true` when the provider does not count for this model, so that the gateway estimated it.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'ResponseInputTokens', description: 'The number of tokens of an input.' });

export const compaction = z
  .object({
    id: z.string().describe('An id.'),
    object: z.literal('response.compaction').describe('Always `response.compaction`.'),
    created_at: z.int().describe('When it was created, in Unix seconds.'),
    model: answeringModel,
    output: z
      .array(z.looseObject({}))
      .describe(
        'What the next request begins with: messages of the user, and an item of the type `compaction` that stands for the rest. With `created_by: gateway`, it is a summary that the model wrote, and any model can continue from it; without, only models of the same provider can.',
      ),
    usage: nullable(usage).describe('Token counts; null if the provider reported none.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'ResponseCompaction', description: 'A long conversation as a short one.' });

export const inputItems = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    data: z
      .array(z.looseObject({}))
      .describe('The items, in the form in which they were sent, each with an `id`.'),
    first_id: z.string().describe('The id of the first item of the page.'),
    last_id: z.string().describe('The id of the last item of the page.'),
    has_more: z.boolean().describe('Whether another page follows.'),
  })
  .meta({ id: 'ResponseInputItems', description: 'A page of the input that led to a response.' });
