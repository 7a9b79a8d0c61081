/** `usage show`: usage and cost, grouped by tenant, day, model, key and others. */
import type { UsageAnswer, UsageRow } from '../../lib/admin/usage/schema.ts';
import { type Counts, dayOf, toCounts } from '../../lib/core/accounting/counters.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import type { Span, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { gather } from '../../lib/metering/usage/gather.ts';
import {
  createSums,
  type Group,
  groupNames,
  groups,
  isGroup,
  isTagGroup,
  type Sum,
  type TagGroup,
} from '../../lib/metering/usage/groups.ts';
import { maxUsageRows } from '../../lib/metering/usage/question.ts';
import { allTenants, asUsageError, type CallAdmin, listAll, withAdmin } from '../call-admin.ts';
import { type Command, type Installation, UsageError } from '../command.ts';
import { formatOptions, type Row, writeListing } from '../listing.ts';
import type { CallRemote } from '../url/send-admin.ts';
import { readSpan, spanOptions, tenantOption } from './usage-options.ts';

interface GroupSum {
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
const counted = [
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
  ['search_units', 'searchUnits'],
  ['input_images', 'inputImages'],
  ['characters', 'characters'],
  ['audio_ms', 'audioMs'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

const groupOf = (groupBy: readonly Group[], { names }: Pick<Sum, 'names'>): GroupSum['group'] =>
  Object.fromEntries(groupBy.flatMap((name, index) => (names[index] ? [[name, names[index]]] : [])));

const onTables =
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

const overHttp =
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
async function tenantNames(
  call: CallAdmin,
  { tenant }: { readonly tenant?: string | undefined },
): Promise<readonly string[]> {
  if (tenant !== undefined) return [(await call('admin-tenants-retrieve', { tenant })).id];
  return (await allTenants(call)).map(({ id }) => id);
}

const all = ['tenant', ...groups] as const;
const allNames = ['tenant', ...groupNames];

export const usageShow: Command = {
  name: 'usage show',
  summary: 'Show usage and cost',
  description:
    'Costs are what providers take, charges what tenants are charged; both in USD, exact to the nano-dollar. Estimated requests are those whose counts never came.',
  options: {
    ...tenantOption,
    ...spanOptions,
    by: { value: '<list>', description: `Group by any of ${allNames.join(', ')} (default: tenant)` },
    ...formatOptions,
  },
  examples: ['usage show --from 2026-11-01 --by tenant,model', 'usage show --by day,key --format csv'],
  async run({ options, terminal, format, ...context }) {
    const by = readBy(options.by ?? 'tenant');
    const span = readSpan(options, Date.now());
    const { sums, completeFrom, hasCosts } = await withAdmin(
      { ...context, options },
      async (call, installation) =>
        sumUp(installation, await tenantNames(call, options), span, by).catch(asUsageError),
    );
    const names = [...by, ...counted.map(([name]) => name), 'cost_usd', 'charge_usd', 'estimated_charge_usd'];
    // A table leaves out columns without any usage, and charges where all are at cost.
    const shown = names
      .filter((name) => hasCosts || name !== 'cost_usd')
      .filter((name) => format !== 'table' || isUsed(name, sums));
    writeListing(
      { terminal, format },
      sums.map((sum) => toRow(by, sum, hasCosts)),
      shown,
    );
    if (sums.length === 0) terminal.writeError(`No usage from ${dayOf(span.from)} to ${dayOf(span.to - 1)}.`);
    if (completeFrom > span.from) {
      terminal.writeError(
        `The ledger keeps no records before ${dayOf(completeFrom)}: earlier usage is not included.`,
      );
    }
  },
};

type By = (typeof all)[number] | TagGroup;

function readBy(text: string): readonly By[] {
  return [...new Set(text.split(','))].map((name) => {
    const known = isTagGroup(name) ? name : all.find((one) => one === name);
    if (known) return known;
    throw new UsageError(`--by takes any of ${allNames.join(',')}, not ${name}.`);
  });
}

interface NamedSum extends GroupSum {
  readonly tenant: string;
}

async function sumUp(installation: Installation, tenants: readonly string[], span: Span, by: readonly By[]) {
  const groupBy = by.filter(isGroup);
  const { remote } = installation;
  const sumTenant = remote ? overHttp(remote) : onTables(installation.usage);
  const found: NamedSum[] = [];
  let { from: completeFrom } = span;
  let hasCosts = true;
  for (const tenant of tenants) {
    const summed = await sumTenant(tenant, span, groupBy);
    completeFrom = Math.max(completeFrom, summed.completeFrom);
    hasCosts &&= summed.hasCosts;
    found.push(...summed.sums.map((sum) => ({ tenant, ...sum })));
  }
  return { sums: by.includes('tenant') ? found : merge(groupBy, found), completeFrom, hasCosts };
}

/** The usage of all tenants together. */
function merge(groupBy: readonly Group[], found: readonly NamedSum[]): readonly NamedSum[] {
  const sums = createSums(groupBy);
  for (const { group, counts } of found) sums.add(group, counts);
  return sums
    .sorted()
    .map((sum) => ({ tenant: '', group: groupOf(groupBy, sum), counts: toCounts(sum.numbers) }));
}

function isUsed(name: string, sums: readonly NamedSum[]): boolean {
  if (name === 'estimated_charge_usd') return sums.some(({ counts }) => counts.estimated > 0);
  if (name === 'charge_usd') return sums.some(({ counts }) => counts.charge !== counts.cost);
  const [, count] = counted.find(([column]) => column === name) ?? [];
  return count === undefined || count === 'requests' || sums.some(({ counts }) => counts[count] > 0);
}

function toRow(by: readonly By[], { tenant, group, counts }: NamedSum, hasCosts: boolean): Row {
  return {
    ...Object.fromEntries(by.map((name) => [name, (name === 'tenant' ? tenant : group[name]) ?? null])),
    ...Object.fromEntries(counted.map(([name, count]) => [name, counts[count]])),
    ...(hasCosts && { cost_usd: formatDollars(counts.cost) }),
    charge_usd: formatDollars(counts.charge),
    estimated_charge_usd: formatDollars(counts.estimatedCharge),
  };
}
