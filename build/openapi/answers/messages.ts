/** The answers of the Messages operations: one body, or the events of a stream. */
import * as z from 'zod';
import { anthropicError } from './errors.ts';
import {
  always,
  answeringModel,
  anyObject,
  costInUsage,
  count,
  debug,
  estimated,
  integer,
  list,
  named,
  namedLoose,
  nullable,
  text,
} from './shared.ts';

const citation = namedLoose(
  'MessageCitation',
  'A source of a text: of the web with `url`, `title` and `encrypted_index`, of a document of the request with its position there.',
  {
    type: text('`web_search_result_location` for a source on the web.'),
    cited_text: text(
      'What is cited, at most 150 characters: of Claude the words of the source, of other models the part of the answer that the source supports.',
    ),
  },
);

const textBlock = namedLoose('MessageText', 'A text that the model wrote.', {
  type: always('text'),
  text: text('The text.'),
  citations: nullable(z.array(citation)).optional().describe('Its sources.'),
});

const thinking = namedLoose('MessageThinking', 'Reasoning of the model. Send it back unchanged.', {
  type: always('thinking'),
  thinking: text('The readable reasoning; empty where the model shows none.'),
  signature: text('What the model needs back to go on. Of models other than Claude the gateway wrote it.'),
});

const redacted = namedLoose('MessageRedactedThinking', 'Hidden reasoning. Send it back unchanged.', {
  type: always('redacted_thinking'),
  data: text('Reasoning that only the provider can read.'),
});

const callFields = {
  id: text('The id of the call.'),
  name: text('The name of the tool.'),
};

const call = namedLoose('MessageToolUse', 'A call of one of the tools of the request.', {
  type: always('tool_use'),
  ...callFields,
  input: anyObject(
    'The input of the tool. Of a call that was cut, with `stop_reason` `max_tokens`, what was written of it, as `INVALID_JSON`.',
  ),
});

const serverCall = namedLoose('MessageServerToolUse', 'A call of a tool that the provider runs.', {
  type: always('server_tool_use'),
  ...callFields,
  input: anyObject('The input of the tool: the `query` of a web search.'),
});

const found = namedLoose('MessageSearchResult', 'A page that a search found.', {
  type: always('web_search_result'),
  url: text('The address of the page.'),
  title: text('Its title, or the address where none is known.'),
  page_age: nullable(text('When it was last changed; null if it is not known.')),
  encrypted_content: text('Its content, for Claude only. Send it back unchanged.'),
});

const searchFailure = namedLoose('MessageSearchFailure', 'The failure of a web search.', {
  type: always('web_search_tool_result_error'),
  error_code: text('Why; `unavailable` where the provider gives no reason.'),
});

const searchResult = namedLoose('MessageSearch', 'The result of a web search of the provider.', {
  type: always('web_search_tool_result'),
  tool_use_id: text('The id of the search.'),
  content: z.union([z.array(found), searchFailure]).describe('What it found, or its failure.'),
});

const block = z
  .union([
    textBlock,
    thinking,
    redacted,
    call,
    serverCall,
    searchResult,
    z.looseObject({ type: text('Any other type.') }),
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
  service_tier: nullable(text('`standard`, `priority` or `batch`; null if it is not known.')).optional(),
  cost: costInUsage,
};

const usage = namedLoose('MessageUsage', 'Token counts. All input is the sum of the three input counts.', {
  ...counts,
  inference_geo: nullable(text('Where the model ran; null if it is not known.')).optional(),
});

const stop = {
  stop_reason: nullable(
    text(
      'Why the model stopped: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `refusal`, `model_context_window_exceeded`, or of Claude `pause_turn`. Null until the end of a stream.',
    ),
  ),
  stop_sequence: nullable(text('The text at which it stopped, if it was one.')),
  stop_details: nullable(
    z.looseObject({
      type: always('refusal'),
      category: nullable(text('The kind of refusal, of Claude only.')).optional(),
      explanation: nullable(text('The reason in words, if there is one.')).optional(),
    }),
  )
    .optional()
    .describe('Why it refused.'),
  container: nullable(anyObject('The container of tools that Anthropic runs.')).optional(),
};

export const message = namedLoose(
  'Message',
  'An answer of the Messages API. Send its content back unchanged to continue the conversation.',
  {
    id: text('The id of the message.'),
    type: always('message'),
    role: always('assistant'),
    model: answeringModel,
    content: list(block, 'What the model wrote, in order.'),
    ...stop,
    usage,
    debug,
  },
);

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.looseObject({
    type: z.literal(type).describe('The type of the event, also its SSE event name.'),
    ...shape,
  });

const index = integer('The position of the block in `content`.');
const piece = text('The next piece.');

const delta = z.union([
  z.looseObject({ type: always('text_delta'), text: piece }),
  z.looseObject({ type: always('citations_delta'), citation }),
  z.looseObject({ type: always('thinking_delta'), thinking: piece }),
  z.looseObject({ type: always('signature_delta'), signature: text('The whole signature.') }),
  z.looseObject({
    type: always('input_json_delta'),
    partial_json: text('The next piece of the input, as JSON text.'),
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
      debug,
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

export const messageTokens = named('MessageTokensCount', 'The number of input tokens of a message.', {
  input_tokens: integer('The number of input tokens.'),
  context_management: z
    .looseObject({})
    .optional()
    .describe("Of models of Anthropic's: what the edits of `context_management` leave out."),
  estimated,
  debug,
});
