/** The answers of the Messages operations: one body, or the events of a stream. */
import * as z from 'zod';
import { anthropicError } from './others.ts';
import { answeringModel, anyObject, costInUsage, count, debug, nullable } from './shared.ts';

const typed = <Type extends string>(type: Type) => z.literal(type).describe(`Always \`${type}\`.`);

const citation = z
  .looseObject({
    type: z.string().describe('`web_search_result_location` for a source on the web.'),
    cited_text: z
      .string()
      .describe(
        'What is cited, at most 150 characters: of Claude the words of the source, of other models the part of the answer that the source supports.',
      ),
  })
  .meta({
    id: 'MessageCitation',
    description:
      'A source of a text: of the web with `url`, `title` and `encrypted_index`, of a document of the request with its position there.',
  });

const text = z
  .looseObject({
    type: typed('text'),
    text: z.string().describe('The text.'),
    citations: nullable(z.array(citation)).optional().describe('Its sources.'),
  })
  .meta({ id: 'MessageText', description: 'A text that the model wrote.' });

const thinking = z
  .looseObject({
    type: typed('thinking'),
    thinking: z.string().describe('The readable reasoning; empty where the model shows none.'),
    signature: z
      .string()
      .describe('What the model needs back to go on. Of models other than Claude the gateway wrote it.'),
  })
  .meta({ id: 'MessageThinking', description: 'Reasoning of the model. Send it back unchanged.' });

const redacted = z
  .looseObject({
    type: typed('redacted_thinking'),
    data: z.string().describe('Reasoning that only the provider can read.'),
  })
  .meta({ id: 'MessageRedactedThinking', description: 'Hidden reasoning. Send it back unchanged.' });

const callFields = {
  id: z.string().describe('The id of the call.'),
  name: z.string().describe('The name of the tool.'),
};

const call = z
  .looseObject({
    type: typed('tool_use'),
    ...callFields,
    input: anyObject(
      'The input of the tool. Of a call that was cut, with `stop_reason` `max_tokens`, what was written of it, as `INVALID_JSON`.',
    ),
  })
  .meta({ id: 'MessageToolUse', description: 'A call of one of the tools of the request.' });

const serverCall = z
  .looseObject({
    type: typed('server_tool_use'),
    ...callFields,
    input: anyObject('The input of the tool: the `query` of a web search.'),
  })
  .meta({ id: 'MessageServerToolUse', description: 'A call of a tool that the provider runs.' });

const found = z
  .looseObject({
    type: typed('web_search_result'),
    url: z.string().describe('The address of the page.'),
    title: z.string().describe('Its title, or the address where none is known.'),
    page_age: nullable(z.string()).describe('When it was last changed; null if it is not known.'),
    encrypted_content: z.string().describe('Its content, for Claude only. Send it back unchanged.'),
  })
  .meta({ id: 'MessageSearchResult', description: 'A page that a search found.' });

const searchFailure = z
  .looseObject({
    type: typed('web_search_tool_result_error'),
    error_code: z.string().describe('Why; `unavailable` where the provider gives no reason.'),
  })
  .meta({ id: 'MessageSearchFailure', description: 'The failure of a web search.' });

const searchResult = z
  .looseObject({
    type: typed('web_search_tool_result'),
    tool_use_id: z.string().describe('The id of the search.'),
    content: z.union([z.array(found), searchFailure]).describe('What it found, or its failure.'),
  })
  .meta({ id: 'MessageSearch', description: 'The result of a web search of the provider.' });

const block = z
  .union([
    text,
    thinking,
    redacted,
    call,
    serverCall,
    searchResult,
    z.looseObject({ type: z.string().describe('Any other type.') }),
  ])
  .meta({
    id: 'MessageBlock',
    description:
      "A part of the answer. Claude's answers may have more types, as Anthropic documents them; those of other models have these.",
  });

/** Counts that the end of a stream repeats. */
const counts = {
  input_tokens: count(
    'Tokens of the request that were neither read from a cache nor written to one. An estimate until the end of a stream, and where the provider reports no use.',
  ),
  cache_read_input_tokens: nullable(count('Tokens that were read from a cache.')).optional(),
  cache_creation_input_tokens: nullable(count('Tokens that were written to a cache.')).optional(),
  output_tokens: count('Generated tokens, thinking included.'),
  output_tokens_details: nullable(
    z.looseObject({ thinking_tokens: count('Tokens of the reasoning.').optional() }),
  )
    .optional()
    .describe(
      'Parts of `output_tokens`; null where the provider reports no use, so that the counts are estimates.',
    ),
  server_tool_use: nullable(
    z.looseObject({
      web_search_requests: count('Web searches.').optional(),
      web_fetch_requests: count('Pages that were fetched.').optional(),
    }),
  )
    .optional()
    .describe('Uses of tools that the provider runs; null for none.'),
  cache_creation: nullable(
    z.looseObject({
      ephemeral_5m_input_tokens: count('Those that are kept for five minutes.'),
      ephemeral_1h_input_tokens: count('Those that are kept for an hour.'),
    }),
  )
    .optional()
    .describe('Parts of `cache_creation_input_tokens`.'),
  service_tier: nullable(z.string())
    .optional()
    .describe('`standard`, `priority` or `batch`; null if it is not known.'),
  cost: costInUsage,
};

const usage = z
  .looseObject({
    ...counts,
    inference_geo: nullable(z.string()).optional().describe('Where the model ran; null if it is not known.'),
  })
  .meta({ id: 'MessageUsage', description: 'Token counts. All input is the sum of the three input counts.' });

const stop = {
  stop_reason: nullable(z.string()).describe(
    'Why the model stopped: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `refusal`, `model_context_window_exceeded`, or of Claude `pause_turn`. Null until the end of a stream.',
  ),
  stop_sequence: nullable(z.string()).describe('The text at which it stopped, if it was one.'),
  stop_details: nullable(
    z.looseObject({
      type: typed('refusal'),
      category: nullable(z.string()).optional().describe('The kind of refusal, of Claude only.'),
      explanation: nullable(z.string()).optional().describe('The reason in words, if there is one.'),
    }),
  )
    .optional()
    .describe('Why it refused.'),
  container: nullable(anyObject('The container of tools that Anthropic runs.')).optional(),
};

const happened = debug.optional().describe('What happened to the request, when `extra.debug` asks for it.');

export const message = z
  .looseObject({
    id: z.string().describe('The id of the message.'),
    type: typed('message'),
    role: typed('assistant'),
    model: answeringModel,
    content: z.array(block).describe('What the model wrote, in order.'),
    ...stop,
    usage,
    debug: happened,
  })
  .meta({
    id: 'Message',
    description:
      'An answer of the Messages API. Send its content back unchanged to continue the conversation.',
  });

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.looseObject({
    type: z.literal(type).describe('The type of the event, also its SSE event name.'),
    ...shape,
  });

const index = z.int().describe('The position of the block in `content`.');
const piece = z.string().describe('The next piece.');

const delta = z.union([
  z.looseObject({ type: typed('text_delta'), text: piece }),
  z.looseObject({ type: typed('citations_delta'), citation }),
  z.looseObject({ type: typed('thinking_delta'), thinking: piece }),
  z.looseObject({ type: typed('signature_delta'), signature: z.string().describe('The whole signature.') }),
  z.looseObject({
    type: typed('input_json_delta'),
    partial_json: z.string().describe('The next piece of the input, as JSON text.'),
  }),
]);

export const messageEvent = z
  .union([
    event('message_start', { message: message.describe('The message without its content.') }),
    event('content_block_start', { index, content_block: block.describe('The block without its content.') }),
    event('content_block_delta', { index, delta: delta.describe('What is new in the block.') }),
    event('content_block_stop', { index }),
    event('message_delta', {
      delta: z.looseObject(stop).describe('How the message ended.'),
      usage: z
        .looseObject({ ...counts, input_tokens: counts.input_tokens.optional() })
        .describe('The final counts.'),
      debug: happened,
    }),
    event('message_stop', {}),
    event('ping', {}),
    anthropicError,
  ])
  .meta({
    id: 'MessageStreamEvent',
    description:
      'One event of the stream of a message. One block is open at a time, and a complete stream ends with `message_stop`. When it fails after its first block, the last event is `error`.',
  });

export const messageTokens = z
  .object({
    input_tokens: z.int().describe('How many tokens the input has.'),
    context_management: z
      .looseObject({})
      .optional()
      .describe("Of models of Anthropic's: what the edits of `context_management` leave out."),
    estimated: z
      .literal(true)
      .optional()
      .describe('`true` when the provider does not count for this model, so that the gateway estimated it.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'MessageTokensCount', description: 'The number of tokens of an input.' });
