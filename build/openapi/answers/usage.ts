/** The answers of the operations on usage. */
import * as z from 'zod';
import { guardActions } from '../../../lib/core/guardrails/guard-record.ts';
import { always, choice, count, flag, integer, list, named, nullable, object, text } from './shared.ts';

const sums = {
  requests: count('Requests that reached a provider, or that a guardrail blocked.'),
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
  search_units: count('Search units of reranking.'),
  input_images: count('Images that were sent to be edited, where each of them is charged for.'),
  characters: count('Characters that were spoken, where they are charged for.'),
  audio_ms: count('Milliseconds of audio that was transcribed, where its time is charged for.'),
  cost: text('What you are charged, in US dollars, exact, as decimal text.'),
  cost_nano_usd: integer('The same in billionths of a dollar.'),
  estimated_cost: text('Of `cost`, that of `estimated_requests`.'),
  estimated_cost_nano_usd: integer('The same in billionths of a dollar.'),
};

export const usage = named('Usage', 'What a tenant used.', {
  object: always('list'),
  from: text('The start, as a time.'),
  to: text('The end, as a time that is not included.'),
  source: choice(
    ['daily_counters', 'ledger'],
    'Where the sums come from. Daily counters are kept permanently; the ledger of requests is not.',
  ),
  complete_from: text(
    'Nothing is missing from here on. Later than `from` when the ledger no longer has the start.',
  ),
  group_by: list(z.string(), 'The groups, as requested.'),
  data: list(
    z.object({
      object: always('usage'),
      day: text('The day (UTC), when grouped by it.').optional(),
      model: text('The model, when grouped by it.').optional(),
      key: text('The id of the API key, when grouped by it.').optional(),
      user: nullable(text('The `x-gateway-user-id` of the requests, when grouped by it.')).optional(),
      session: nullable(text('The `x-gateway-session-id` of the requests, when grouped by it.')).optional(),
      ...sums,
    }),
    'The groups of this page, by their names.',
  ),
  has_more: flag('Whether another page follows.'),
  next_after: nullable(text('What to send as `after` for the next page.')),
  total: object('The sums of the whole time, whatever the page.', sums),
});

const dollars = (what: string) => nullable(text(`${what}, in US dollars, exact, as decimal text.`));

const charged = {
  cost: dollars('What you are charged; null if it is not known'),
  cost_nano_usd: nullable(integer('The same in billionths of a dollar.')),
};

const attempt = z.object({
  provider: text('The provider that was called.'),
  model: text('The model.'),
  region: text("The provider's region, or `global`."),
  credential: nullable(
    text('The id of your own key that it was called with; null: an account of the gateway.'),
  ),
  service_tier: nullable(text('The service tier; null: the default.')),
  error: nullable(text('The error code of an attempt that failed.')),
  usage: nullable(
    object('What was used; null if it is not known.', {
      prompt_tokens: count('Tokens of the request.'),
      cached_tokens: count('Of these, read from a cache.'),
      cache_write_tokens: count('Of `prompt_tokens`, written to a cache.'),
      completion_tokens: count('Generated tokens.'),
      reasoning_tokens: count('Of these, of reasoning.'),
      web_searches: count('Web searches.'),
      search_units: count('Search units of reranking.'),
      input_images: count('Images that were sent to be edited, where each of them is charged for.'),
      characters: count('Characters that were spoken, where they are charged for.'),
      audio_ms: count('Milliseconds of audio that was transcribed, where its time is charged for.'),
    }),
  ),
  estimated: flag('Whether the answer ended before it was counted, so that it was estimated.'),
  list_cost_nano_usd: nullable(
    integer(
      'What the provider takes of you for a call with your own key, by the catalog, in billionths of a dollar.',
    ),
  ),
  ...charged,
  arithmetic: nullable(
    z.array(
      z.object({
        what: text('What is charged, for example `input`, `cachedInput` or `webSearch`.'),
        quantity: nullable(integer('How many; null for what is added to other lines.')),
        unit_price: dollars('The price of one'),
        per: integer(
          'How many the price is for: 1, or 3600 for a price for each hour, or 3600000 for milliseconds at a price for each hour.',
        ),
        amount: text('The amount in US dollars before rounding.'),
      }),
    ),
  ).describe(
    'How the cost is computed, at your prices: the sum of the amounts, rounded to billionths of a dollar. Null if that is not known any more.',
  ),
});

export const usageRequest = named('UsageRequest', 'What one request used and what it is charged.', {
  object: always('usage.request'),
  id: text('The `x-request-id` of the answer.'),
  created_at: text('When the request arrived.'),
  status: choice(
    ['open', 'done', 'interrupted'],
    '`open` while it runs; `interrupted` if the gateway ended before the answer did.',
  ),
  operation: text('The operation.'),
  requested_model: text('The requested model.'),
  model: text('The model that answered or was tried last.'),
  key: text('The id of the API key.'),
  user: nullable(text('The `x-gateway-user-id`.')),
  session: nullable(text('The `x-gateway-session-id`, or the `x-claude-code-session-id`.')),
  tags: z.record(z.string(), z.string()).describe('The pairs of `x-gateway-tags` and of `metadata`.'),
  batch: nullable(text('The id of the batch that it is a line of.')),
  streamed: flag('Whether a stream was requested.'),
  http_status: nullable(integer('The status; 499 if the client left. Null while it runs.')),
  error: nullable(text('The error code.')),
  total_ms: nullable(integer('The duration. Null while it runs.')),
  attempts: list(attempt, 'The calls of providers, in order.'),
  guardrails: list(
    z.object({
      guardrail: text('The id of the guardrail.'),
      version: integer('Its version.'),
      rule: text('The id of the rule.'),
      phase: choice(['input', 'output'], 'What it looked at.'),
      action: choice(guardActions, 'What it did.'),
      labels: list(z.string(), 'What it found, without the matches.'),
      ms: count('How long it took.'),
      units: count('What its detector bills by.'),
      cost_nano_usd: nullable(integer('What it is charged, in billionths of a dollar; null: unknown.')),
    }),
    'What each rule of a guardrail did.',
  ),
  replayed: nullable(
    z
      .object({
        of: text('The id of the request that the answer was made for.'),
        prompt_tokens: integer('The tokens of its input.'),
        completion_tokens: integer('The tokens of its output.'),
      })
      .describe('Of a request that was answered from the cache, at no charge.'),
  ),
  ...charged,
});
