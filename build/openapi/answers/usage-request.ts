/** The answer that describes one request: `GET /v1/usage/requests/{request_id}`. */
import * as z from 'zod';
import { count, nullable } from './shared.ts';

const text = z.string();
const dollars = (what: string) => nullable(text).describe(`${what}, in US dollars, exact, as decimal text.`);

const charged = {
  cost: dollars('What you are charged; null if it is not known'),
  cost_nano_usd: nullable(z.int()).describe('The same in billionths of a dollar.'),
};

const attempt = z.object({
  provider: text.describe('The provider that was called.'),
  model: text.describe('The model.'),
  region: text.describe("The provider's region, or `global`."),
  service_tier: nullable(text).describe('The service tier; null: the default.'),
  error: nullable(text).describe('The error code of an attempt that failed.'),
  usage: nullable(
    z.object({
      prompt_tokens: count('Tokens of the request.'),
      cached_tokens: count('Of these, read from a cache.'),
      cache_write_tokens: count('Of `prompt_tokens`, written to a cache.'),
      completion_tokens: count('Generated tokens.'),
      reasoning_tokens: count('Of these, of reasoning.'),
      web_searches: count('Web searches.'),
    }),
  ).describe('What was used; null if it is not known.'),
  estimated: z
    .boolean()
    .describe('Whether the answer ended before it was counted, so that it was estimated.'),
  ...charged,
  arithmetic: nullable(
    z.array(
      z.object({
        what: text.describe('What is charged, for example `input`, `cachedInput` or `webSearch`.'),
        quantity: nullable(z.int()).describe('How many; null for what is added to other lines.'),
        unit_price: dollars('The price of one'),
        per: z.int().describe('How many the price is for: 1, or 3600 for a price for each hour.'),
        amount: text.describe('The amount in US dollars before rounding.'),
      }),
    ),
  ).describe(
    'How the cost is computed, at your prices: the sum of the amounts, rounded to billionths of a dollar. Null if that is not known any more.',
  ),
});

export const usageRequest = z
  .object({
    object: z.literal('usage.request').describe('Always `usage.request`.'),
    id: text.describe('The `x-request-id` of the answer.'),
    created_at: text.describe('When the request arrived.'),
    status: z
      .enum(['open', 'done', 'interrupted'])
      .describe('`open` while it runs; `interrupted` if the gateway ended before the answer did.'),
    operation: text.describe('The operation.'),
    requested_model: text.describe('The requested model.'),
    model: text.describe('The model that answered or was tried last.'),
    key: text.describe('The id of the API key.'),
    user: nullable(text).describe('The `x-gateway-user-id`.'),
    session: nullable(text).describe('The `x-gateway-session-id`, or the `x-claude-code-session-id`.'),
    tags: z.record(text, text).describe('The pairs of `x-gateway-tags` and of `metadata`.'),
    streamed: z.boolean().describe('Whether a stream was requested.'),
    http_status: nullable(z.int()).describe('The status; 499 if the client left. Null while it runs.'),
    error: nullable(text).describe('The error code.'),
    total_ms: nullable(z.int()).describe('The duration. Null while it runs.'),
    attempts: z.array(attempt).describe('The calls of providers, in order.'),
    ...charged,
  })
  .meta({ id: 'UsageRequest', description: 'What one request used and what it is charged.' });
