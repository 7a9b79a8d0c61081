/**
 * The usage and cost of the key's tenant: `GET /v1/usage`.
 *
 * Query parameters:
 * - `from` and `to`: a date (UTC), which includes the whole day, or a time with a zone (`from` inclusive, `to` exclusive).
 *   Default: the current month. At most 366 days. The answer contains both as times.
 * - `group_by`: any of day, model, key, user, session and tag:<name>, repeated or separated by commas. Default: day.
 * - `limit`: 1 to 1000 groups. Default: 100.
 * - `after`: the `next_after` of the previous page.
 *
 * The answer is a `list` of `usage` objects, sorted by group. Each has the names of its group (null if the requests had no
 * user or session) and these sums: requests, including `failed_requests`, `unpriced_requests` and `estimated_requests`; tokens, where
 * `prompt_tokens` include `cached_tokens`, `cache_write_tokens` and `input_image_tokens`, and `completion_tokens` include
 * `reasoning_tokens` and `output_image_tokens`; the exact cost in US dollars and in whole nano-dollars, without unpriced
 * requests, whose cost is unknown, and the part of it that rests on estimates. The cost is what the tenant is charged, not what the providers take. `total` is the sum of the whole time span, on every page.
 *
 * `source` is `daily_counters`, which are permanent, or `ledger` for users, sessions, tags and parts of a day. The data is
 * complete from `complete_from` on. If that is later than `from`, earlier records have expired and are not counted.
 */
import { type Counts, toCounts } from '../../core/accounting/counters.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import type { Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { gather, type ReadUsage } from '../../metering/usage/gather.ts';
import { namesOf, pageOf, readAfter } from '../../metering/usage/groups.ts';
import { type Question, readQuestion, usageSchema } from '../../metering/usage/question.ts';

interface UsageParts {
  readonly usage: ReadUsage;
  readonly now: () => number;
}

export function usageEndpoint({ usage, now }: UsageParts): Endpoint<typeof usageSchema, Question> {
  return {
    schema: usageSchema,
    read: (query) => readQuestion(query, now()),
    async answer({ input, key, signal }: Call<Question>) {
      if (!key) throw new GatewayError('invalid_api_key', 'An API key is required.');
      const { from, to, groupBy, limit } = input;
      const after = readAfter(groupBy, input.after);
      const gathered = await gather(usage, { ...input, tenant: key.tenant, signal });
      const { sums, source, completeFrom } = gathered;
      const { page, ...rest } = pageOf(sums.sorted(), { groupBy, limit, after });
      const body = {
        object: 'list',
        from: writeTime(from),
        to: writeTime(to),
        source,
        complete_from: writeTime(completeFrom),
        group_by: groupBy,
        data: page.map(({ names, numbers }) => ({
          object: 'usage',
          ...namesOf(groupBy, names),
          ...writeCounts(toCounts(numbers)),
        })),
        ...rest,
        total: writeCounts(toCounts(sums.total())),
      };
      return { type: 'json', body };
    },
  };
}

const writeTime = (milliseconds: number) => new Date(milliseconds).toISOString();

function writeCounts(counts: Counts): object {
  return {
    requests: counts.requests,
    failed_requests: counts.failed,
    unpriced_requests: counts.uncharged,
    estimated_requests: counts.estimated,
    prompt_tokens: counts.promptTokens,
    cached_tokens: counts.cachedTokens,
    cache_write_tokens: counts.cacheWriteTokens,
    input_image_tokens: counts.inputImageTokens,
    completion_tokens: counts.completionTokens,
    reasoning_tokens: counts.reasoningTokens,
    output_image_tokens: counts.outputImageTokens,
    web_searches: counts.webSearches,
    search_units: counts.searchUnits,
    input_images: counts.inputImages,
    characters: counts.characters,
    audio_ms: counts.audioMs,
    cost: formatDollars(counts.charge),
    cost_nano_usd: counts.charge,
    estimated_cost: formatDollars(counts.estimatedCharge),
    estimated_cost_nano_usd: counts.estimatedCharge,
  };
}
