/** The answers of the operations with short answers, and the error object of all. */
import * as z from 'zod';
import { modelStatuses } from '../../../lib/core/catalog/model.ts';
import { endpoints } from '../../../lib/core/catalog/model-endpoints.ts';
import { lifecycles } from '../../../lib/operations/models/model-object.ts';
import { costInUsage, count, debug, nullable, unixSeconds } from './shared.ts';

const errorFields = {
  message: z.string().describe('What is wrong and what to do. For people: do not parse it.'),
  type: z.string().describe('The kind of error.'),
  param: nullable(z.string()).describe('The path of the field at fault, for example `messages.0.content`.'),
  code: nullable(z.string()).describe(
    'The exact reason, for programs. `docs/reference/errors.md` lists the codes.',
  ),
  resets_at: z
    .int()
    .optional()
    .describe(
      'When the budget that is used up starts again, in Unix seconds. Only for budgets of a day, week or month.',
    ),
};

const isError = z.literal('error').describe('Always `error`.');
const requestId = z.string().describe('The id of the request, as in the header `x-request-id`.');

export const error = z
  .object({
    type: isError.optional(),
    error: z.object(errorFields).describe('The error.'),
    request_id: requestId.optional(),
  })
  .meta({
    id: 'Error',
    description: 'The body of every error. Answers of API Gateway itself also have `type` and `request_id`.',
  });

export const anthropicError = z
  .object({
    type: isError,
    error: z
      .object({
        ...errorFields,
        details: z
          .object({
            error_code: z.string().describe("Anthropic's code, for example `enforced_spend_limit_reached`."),
          })
          .optional()
          .describe('What more is known, where clients act on it.'),
      })
      .describe('The error.'),
    request_id: requestId,
  })
  .meta({
    id: 'AnthropicError',
    description:
      "The body of every error of the Messages and Models operations, and the data of the event `error` of a stream: Anthropic's, with the `param` and `code` of this gateway.",
  });

export const embeddings = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    data: z
      .array(
        z.object({
          object: z.literal('embedding').describe('Always `embedding`.'),
          index: z.int().describe('The position of the text in `input`.'),
          embedding: z
            .union([z.array(z.number()), z.string()])
            .describe('The vector: numbers, or 32-bit little-endian floats as base64.'),
        }),
      )
      .describe('One vector for each text, in order.'),
    model: z.string().describe('The requested model.'),
    usage: z
      .object({
        prompt_tokens: count('Tokens of all texts.'),
        total_tokens: count('The same number.'),
        cost: costInUsage,
      })
      .describe('Token counts.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'Embeddings', description: 'A list of vectors.' });

export const images = z
  .object({
    created: unixSeconds,
    background: z.string().optional().describe('The background of the images.'),
    output_format: z.string().optional().describe('Their file format.'),
    quality: z.string().optional().describe('Their quality.'),
    size: z.string().optional().describe('Their size.'),
    usage: z
      .object({
        input_tokens: count('Tokens of the prompt.'),
        input_tokens_details: z
          .object({
            text_tokens: count('Of text.'),
            image_tokens: count('Of images.'),
            cached_tokens: count('Read from a cache.'),
          })
          .describe('Parts of `input_tokens`.'),
        output_tokens: count('Tokens of the images.'),
        output_tokens_details: z
          .object({ image_tokens: count('Of images.'), text_tokens: count('Of text.') })
          .describe('Parts of `output_tokens`.'),
        total_tokens: count('Both together.'),
        cost: costInUsage,
      })
      .optional()
      .describe('Token counts, when the provider reports them.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
    data: z
      .array(z.object({ b64_json: z.string().describe('The image file, as base64.') }))
      .describe('The images.'),
  })
  .meta({ id: 'Images', description: 'Generated images.' });

export const model = z
  .object({
    id: z.string().describe('`owner/model`, or the name of an alias.'),
    object: z.literal('model').describe('Always `model`.'),
    created: unixSeconds,
    owned_by: z.string().describe('The owner; `operator` for an alias.'),
    status: z
      .enum(modelStatuses)
      .describe('`deprecated` models answer; `inactive` and `retired` ones do not.'),
    modalities: z
      .object({
        input: z.array(z.string()).describe('What it accepts.'),
        output: z.array(z.string()).describe('What it returns.'),
      })
      .describe('Kinds of content.'),
    endpoints: z.array(z.enum(endpoints)).describe('The operations that it supports.'),
    aliases: z
      .array(z.string())
      .optional()
      .describe('Further names of the model, such as dated snapshots, without the owner.'),
    targets: z.array(z.string()).optional().describe('Of an alias of the operator: the ids of its models.'),
    type: z.literal('model').describe("Always `model`. This field and those below are for Anthropic's SDKs."),
    display_name: z
      .string()
      .describe(
        'A name for people: the id without the owner, with spaces and capitals (`claude-opus-4-5`: "Claude Opus 4.5"). Of an alias, its name.',
      ),
    created_at: z.string().describe('`created` as a time (RFC 3339).'),
    lifecycle: z.enum(lifecycles).describe("The status in Anthropic's words: `inactive` is `retired`."),
    max_input_tokens: nullable(z.int()).describe('The most tokens of input; null where it is not known.'),
    max_tokens: nullable(z.int()).describe('The highest `max_tokens`; null where it is not known.'),
    capabilities: nullable(z.looseObject({})).describe(
      'Null for a model without the operation `messages`. What the model can do, each as `{"supported": true}`: `effort`, `image_input`, `pdf_input`, `server_tools`, `structured_outputs`, `thinking`. It is false, too, where the catalog does not know: `batch`, `citations`, `code_execution` and `context_management` are always false, though a Claude model may have them.',
    ),
  })
  .meta({ id: 'Model', description: 'A model.' });

export const models = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    data: z.array(model).describe('The models, by id.'),
    has_more: z
      .boolean()
      .describe('Whether there are more models after this page, or before it for `before_id`.'),
    first_id: nullable(z.string()).describe('The id of the first model of this page.'),
    last_id: nullable(z.string()).describe('The id of the last model of this page.'),
  })
  .meta({ id: 'Models', description: 'A list of models.' });

const sums = {
  requests: count('Requests that reached a provider.'),
  failed_requests: count('Of these, requests that failed.'),
  unpriced_requests: count('Of these, requests whose cost is not known. They are not part of the cost.'),
  estimated_requests: count(
    'Of these, requests whose cost is an estimate: their counts never came, as where you left before the end.',
  ),
  prompt_tokens: count('Tokens of requests.'),
  cached_tokens: count('Of `prompt_tokens`, read from a cache.'),
  cache_write_tokens: count('Of `prompt_tokens`, written to a cache.'),
  input_image_tokens: count('Of `prompt_tokens`, of images.'),
  completion_tokens: count('Generated tokens.'),
  reasoning_tokens: count('Of `completion_tokens`, of reasoning.'),
  output_image_tokens: count('Of `completion_tokens`, of images.'),
  web_searches: count('Web searches.'),
  cost: z.string().describe('What you are charged, in US dollars, exact, as decimal text.'),
  cost_nano_usd: z.int().describe('The same in billionths of a dollar.'),
  estimated_cost: z.string().describe('Of `cost`, that of `estimated_requests`.'),
  estimated_cost_nano_usd: z.int().describe('The same in billionths of a dollar.'),
};

const nullableName = (description: string) => nullable(z.string()).optional().describe(description);

export const usage = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    from: z.string().describe('The start, as a time.'),
    to: z.string().describe('The end, as a time that is not included.'),
    source: z
      .enum(['daily_counters', 'ledger'])
      .describe(
        'Where the sums come from. Daily counters are kept permanently; the ledger of requests is not.',
      ),
    complete_from: z
      .string()
      .describe(
        'Nothing is missing from here on. Later than `from` when the ledger no longer has the start.',
      ),
    group_by: z.array(z.string()).describe('The groups, as requested.'),
    data: z
      .array(
        z.object({
          object: z.literal('usage').describe('Always `usage`.'),
          day: z.string().optional().describe('The day (UTC), when grouped by it.'),
          model: z.string().optional().describe('The model, when grouped by it.'),
          key: z.string().optional().describe('The id of the API key, when grouped by it.'),
          user: nullableName('The `x-gateway-user-id` of the requests, when grouped by it.'),
          session: nullableName('The `x-gateway-session-id` of the requests, when grouped by it.'),
          ...sums,
        }),
      )
      .describe('The groups of this page, by their names.'),
    has_more: z.boolean().describe('Whether another page follows.'),
    next_after: nullable(z.string()).describe('What to send as `after` for the next page.'),
    total: z.object(sums).describe('The sums of the whole time, whatever the page.'),
  })
  .meta({ id: 'Usage', description: 'What a tenant used.' });
