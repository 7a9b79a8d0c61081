/** Sums up the usage of one tenant by group: on the tables, or over HTTP. */
import { maxTenantPage } from '../../lib/admin/tenants/schema.ts';
import type { UsageAnswer, UsageRow } from '../../lib/admin/usage/schema.ts';
import { type Counts, toCounts } from '../../lib/core/accounting/counters.ts';
import type { Span, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { gather } from '../../lib/metering/usage/gather.ts';
import type { Group, Sum } from '../../lib/metering/usage/groups.ts';
import { maxUsageRows } from '../../lib/metering/usage/question.ts';
import { type CallAdmin, listAll } from '../call-admin.ts';
import type { CallRemote } from '../url/send-admin.ts';

export interface GroupSum {
  readonly group: Readonly<Partial<Record<Group, string>>>;
  readonly counts: Counts;
}

interface TenantSums {
  readonly sums: readonly GroupSum[];
  /** The time from which the data is complete, in Unix milliseconds. */
  readonly completeFrom: number;
  /** What providers take is for operators only. */
  readonly hasCosts: boolean;
}

type SumTenant = (tenant: string, span: Span, groupBy: readonly Group[]) => Promise<TenantSums>;

/** The columns, and what is counted in them. */
export const counted = [
  ['requests', 'requests'],
  ['failed_requests', 'failed'],
  ['unpriced_requests', 'unpriced'],
  ['uncharged_requests', 'uncharged'],
  ['estimated_requests', 'estimated'],
  ['prompt_tokens', 'promptTokens'],
  ['cached_tokens', 'cachedTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
  ['input_image_tokens', 'inputImageTokens'],
  ['completion_tokens', 'completionTokens'],
  ['reasoning_tokens', 'reasoningTokens'],
  ['output_image_tokens', 'outputImageTokens'],
  ['web_searches', 'webSearches'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

export const groupOf = (groupBy: readonly Group[], { names }: Pick<Sum, 'names'>): GroupSum['group'] =>
  Object.fromEntries(groupBy.flatMap((name, index) => (names[index] ? [[name, names[index]]] : [])));

export const onTables =
  (usage: UsageStore): SumTenant =>
  async (tenant, span, groupBy) => {
    const { signal } = new AbortController();
    const question = { ...span, groupBy, limit: 1, tenant, signal, max: Number.POSITIVE_INFINITY };
    const { sums, completeFrom } = await gather(usage, question);
    const found = sums.sorted().map((sum) => ({
      group: groupOf(groupBy, sum),
      counts: toCounts(sum.numbers),
    }));
    return { sums: found, completeFrom, hasCosts: true };
  };

export const overHttp =
  (remote: CallRemote): SumTenant =>
  async (tenant, { from, to }, groupBy) => {
    let completeFrom = from;
    let hasCosts = true;
    const rows = await listAll(async (page) => {
      const answer: UsageAnswer = await remote('admin-usage', {
        tenant,
        from: from / 1000,
        to: to / 1000,
        group_by: groupBy.length === 0 ? 'tenant' : groupBy.join(','),
        limit: maxUsageRows,
        ...page,
      });
      completeFrom = answer.complete_from * 1000;
      hasCosts = answer.total.provider_cost !== undefined;
      return answer;
    });
    const sums = rows.map((row) => ({
      group: groupOf(groupBy, { names: groupBy.map((name) => textOf(row[name])) }),
      counts: countsOf(row),
    }));
    return { sums, completeFrom, hasCosts };
  };

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** Here, what is unknown of costs is in the requests that are counted as unpriced. */
function countsOf(row: UsageRow): Counts {
  const { provider_unpriced_requests: unpriced = 0, unpriced_requests: uncharged } = row;
  const columns = { ...row, unpriced_requests: unpriced, uncharged_requests: uncharged };
  return toCounts({
    ...Object.fromEntries(counted.map(([column, name]) => [name, columns[column]])),
    cost: row.provider_cost_nano_usd ?? 0,
    charge: row.cost_nano_usd ?? 0,
    estimatedCharge: row.estimated_cost_nano_usd,
  });
}

/** Names of the tenants that are asked for. Rejects if the given one does not exist. */
export async function tenantNames(
  call: CallAdmin,
  { tenant }: { readonly tenant?: string | undefined },
): Promise<readonly string[]> {
  if (tenant !== undefined) return [(await call('admin-tenants-retrieve', { tenant })).id];
  const rows = await listAll((page) => call('admin-tenants-list', { limit: maxTenantPage, ...page }));
  return rows.map(({ id }) => id);
}
