/** `usage show`: usage and cost, grouped by tenant, day, model, key and others. */
import { type Counts, dayOf, toCounts } from '../../../lib/core/accounting/counters.ts';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import type { Span, UsageStore } from '../../../lib/core/ports/usage-store.ts';
import { gather } from '../../../lib/metering/usage/gather.ts';
import {
  createSums,
  type Group,
  groupNames,
  groups,
  isGroup,
  isTagGroup,
  type Sum,
  type TagGroup,
} from '../../../lib/metering/usage/groups.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { formatOptions, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

const all = ['tenant', ...groups] as const;
const allNames = ['tenant', ...groupNames];

const counted = [
  ['requests', 'requests'],
  ['failed_requests', 'failed'],
  ['unpriced_requests', 'unpriced'],
  ['uncharged_requests', 'uncharged'],
  ['prompt_tokens', 'promptTokens'],
  ['cached_tokens', 'cachedTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
  ['input_image_tokens', 'inputImageTokens'],
  ['completion_tokens', 'completionTokens'],
  ['reasoning_tokens', 'reasoningTokens'],
  ['output_image_tokens', 'outputImageTokens'],
  ['web_searches', 'webSearches'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

export const usageShow: Command = {
  name: 'usage show',
  summary: 'Show usage and cost',
  description:
    'Costs are what providers take, charges what tenants are charged; both in USD, exact to the nano-dollar.',
  arguments: [],
  options: {
    ...tenantOption,
    ...spanOptions,
    by: { value: '<list>', description: `Group by any of ${allNames.join(', ')} (default: tenant)` },
    ...formatOptions,
  },
  examples: ['usage show --from 2026-11-01 --by tenant,model', 'usage show --by day,key --format csv'],
  async run({ options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const by = readBy(options.by ?? 'tenant');
    const span = readSpan(options, Date.now());
    const { sums, completeFrom } = await withInstallation(context, async (installation) =>
      sumUp(installation.usage, await tenantsOf(installation, options), span, by),
    );
    const columns = [...by, ...counted.map(([name]) => name), 'cost_usd', 'charge_usd'].map((name) => ({
      name,
    }));
    // A table leaves out columns without any usage, and charges where all are at cost.
    const shown = columns.filter(({ name }) => format !== 'table' || isUsed(name, sums));
    writeListing(terminal, { columns: shown, rows: sums.map((sum) => toRow(by, sum)) }, format);
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

interface NamedSum {
  readonly tenant: string;
  readonly group: Readonly<Partial<Record<Group, string>>>;
  readonly counts: Counts;
}

async function sumUp(usage: UsageStore, tenants: readonly string[], span: Span, by: readonly By[]) {
  const groupBy = by.filter(isGroup);
  const found: NamedSum[] = [];
  let { from: completeFrom } = span;
  for (const tenant of tenants) {
    const signal = new AbortController().signal;
    const gathered = await gather(usage, {
      ...span,
      groupBy,
      limit: 1,
      tenant,
      signal,
      max: Number.POSITIVE_INFINITY,
    });
    completeFrom = Math.max(completeFrom, gathered.completeFrom);
    found.push(
      ...gathered.sums
        .sorted()
        .map((sum) => ({ tenant, group: groupOf(groupBy, sum), counts: toCounts(sum.numbers) })),
    );
  }
  return { sums: by.includes('tenant') ? found : merge(groupBy, found), completeFrom };
}

const groupOf = (groupBy: readonly Group[], { names }: Sum): NamedSum['group'] =>
  Object.fromEntries(groupBy.flatMap((name, index) => (names[index] ? [[name, names[index]]] : [])));

/** The usage of all tenants together. */
function merge(groupBy: readonly Group[], found: readonly NamedSum[]): readonly NamedSum[] {
  const sums = createSums(groupBy);
  for (const { group, counts } of found) sums.add(group, counts);
  return sums
    .sorted()
    .map((sum) => ({ tenant: '', group: groupOf(groupBy, sum), counts: toCounts(sum.numbers) }));
}

function isUsed(name: string, sums: readonly NamedSum[]): boolean {
  if (name === 'charge_usd') return sums.some(({ counts }) => counts.charge !== counts.cost);
  const [, count] = counted.find(([column]) => column === name) ?? [];
  return count === undefined || count === 'requests' || sums.some(({ counts }) => counts[count] > 0);
}

function toRow(by: readonly By[], { tenant, group, counts }: NamedSum): Row {
  return {
    ...Object.fromEntries(by.map((name) => [name, (name === 'tenant' ? tenant : group[name]) ?? null])),
    ...Object.fromEntries(counted.map(([name, count]) => [name, counts[count]])),
    cost_usd: formatDollars(counts.cost),
    charge_usd: formatDollars(counts.charge),
  };
}
