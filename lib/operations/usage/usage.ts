/**
 * What a tenant used and what it costs: `GET /v1/usage`, for the tenant of the key and for no other.
 *
 * Query: `from` and `to`, each a date (UTC), of which the whole day counts, or a time with its zone, of which `from` is inside
 * and `to` outside; without them, this month. The answer says as times what was understood. `group_by`: some of day, model, key, user, session, repeated or with commas; the answer is in their order; without
 * it, by day. `limit`: 1 to 1000 groups, 100 without it. `after`: `next_after` of the page before. A span has 366 days at most.
 *
 * Answer: a `list` of `usage` objects. Each has the names of its group, null where the requests gave no user or session,
 * and sums: requests and, of these, `failed_requests` and `unpriced_requests`; tokens, where `cached_tokens`, `cache_write_tokens`
 * and `input_image_tokens` are part of `prompt_tokens`, and `reasoning_tokens` and `output_image_tokens` of `completion_tokens`; `cost`
 * in US dollars, exact, and the same in whole nano-dollars. Unpriced requests are not in the cost: nobody knows theirs.
 * `total` is of the whole span, whatever the page.
 *
 * `source` tells what was summed up: the `daily_counters`, kept for ever, or, for users, sessions and parts of a day, the `ledger`.
 * Nothing is missing from `complete_from` on; where that is later than `from`, the ledger has forgotten what came before,
 * and it is not counted.
 */
import type { Counts } from '../../core/accounting/counters.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import type { Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import { type Gathered, gather, type ReadUsage } from './gather.ts';
import { compare, readCursor, type Sum, writeCursor } from './groups.ts';
import { type Question, readQuestion, usageSchema, wrong } from './question.ts';

export interface UsageParts {
  readonly usage: ReadUsage;
  readonly now: () => number;
}

export function usageEndpoint({ usage, now }: UsageParts): Endpoint<typeof usageSchema, Question> {
  return {
    schema: usageSchema,
    read: (query) => readQuestion(query, now()),
    async answer({ input, key, signal }: Call<Question>) {
      if (!key) throw new GatewayError('invalid_api_key', 'An API key is required.');
      const after = placeOf(input);
      const gathered = await gather(usage, { ...input, tenant: key.tenant, signal });
      return { type: 'json', body: writePage(input, gathered, after) };
    },
  };
}

function placeOf({ groupBy, after }: Question): Sum['names'] | undefined {
  if (after === undefined) return undefined;
  const place = readCursor(groupBy, after);
  if (!place) throw wrong('after', "must be the 'next_after' of a page with the same 'group_by'");
  return place;
}

function writePage(
  { from, to, groupBy, limit }: Question,
  { sums, source, completeFrom }: Gathered,
  after: Sum['names'] | undefined,
): object {
  const rest = sums.sorted().filter(({ names }) => !after || compare(names, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  return {
    object: 'list',
    from: writeTime(from),
    to: writeTime(to),
    source,
    complete_from: writeTime(completeFrom),
    group_by: groupBy,
    data: page.map(({ names, counts }) => ({
      object: 'usage',
      ...Object.fromEntries(groupBy.map((group, position) => [group, names[position] ?? null])),
      ...writeCounts(counts),
    })),
    has_more: hasMore,
    next_after: hasMore && last ? writeCursor(groupBy, last.names) : null,
    total: writeCounts(sums.total()),
  };
}

const writeTime = (milliseconds: number) => new Date(milliseconds).toISOString();

function writeCounts(counts: Counts): object {
  return {
    requests: counts.requests,
    failed_requests: counts.failed,
    unpriced_requests: counts.unpriced,
    prompt_tokens: counts.promptTokens,
    cached_tokens: counts.cachedTokens,
    cache_write_tokens: counts.cacheWriteTokens,
    input_image_tokens: counts.inputImageTokens,
    completion_tokens: counts.completionTokens,
    reasoning_tokens: counts.reasoningTokens,
    output_image_tokens: counts.outputImageTokens,
    web_searches: counts.webSearches,
    cost: formatDollars(counts.cost),
    cost_nano_usd: counts.cost,
  };
}
