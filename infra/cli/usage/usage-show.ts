/** `usage show`: what was used and what it costs, by whatever it is to be told apart by. */
import { type Counts, dayOf } from '../../../lib/core/accounting/counters.ts';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import type { Span, UsageStore } from '../../../lib/core/ports.ts';
import { gather } from '../../../lib/operations/usage/gather.ts';
import { createSums, type Group, groups, isGroup, type Sum } from '../../../lib/operations/usage/groups.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { formatOptions, type Row, readFormat, writeListing } from '../output/listing.ts';
import { readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

const all = ['tenant', ...groups] as const;

const counted = [
  ['requests', 'requests'],
  ['failed_requests', 'failed'],
  ['unpriced_requests', 'unpriced'],
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
  summary: 'Show what was used, and what it costs in USD, to the last nano-dollar.',
  arguments: [],
  options: {
    ...tenantOption,
    ...spanOptions,
    by: { value: '<list>', description: `Told apart by some of ${all.join(',')}; otherwise tenant` },
    ...formatOptions,
  },
  async run({ options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const by = readBy(options.by ?? 'tenant');
    const span = readSpan(options, Date.now());
    const { sums, completeFrom } = await withInstallation(context, async (installation) =>
      sumUp(installation.usage, await tenantsOf(installation, options), span, by),
    );
    const columns = [...by, ...counted.map(([name]) => name), 'cost_usd'].map((name) => ({ name }));
    // In a table, what nobody used only takes room.
    const shown = columns.filter(({ name }) => format !== 'table' || isUsed(name, sums));
    writeListing(terminal, { columns: shown, rows: sums.map((sum) => toRow(by, sum)) }, format);
    if (sums.length === 0)
      terminal.tell(`Nothing was used from ${dayOf(span.from)} to ${dayOf(span.to - 1)}.`);
    if (completeFrom > span.from) {
      terminal.tell(`The ledger has forgotten what was before ${dayOf(completeFrom)}: it is not counted.`);
    }
  },
};

type By = (typeof all)[number];

function readBy(text: string): readonly By[] {
  return [...new Set(text.split(','))].map((name) => {
    const known = all.find((one) => one === name);
    if (known) return known;
    throw new UsageError(`--by is some of ${all.join(',')}, not ${name}`);
  });
}

interface NamedSum {
  readonly tenant: string;
  readonly place: Readonly<Partial<Record<Group, string>>>;
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
      ...gathered.sums.sorted().map((sum) => ({ tenant, place: placeOf(groupBy, sum), counts: sum.counts })),
    );
  }
  return { sums: by.includes('tenant') ? found : together(groupBy, found), completeFrom };
}

const placeOf = (groupBy: readonly Group[], { names }: Sum): NamedSum['place'] =>
  Object.fromEntries(groupBy.flatMap((group, place) => (names[place] ? [[group, names[place]]] : [])));

/** What several tenants used, in one. */
function together(groupBy: readonly Group[], found: readonly NamedSum[]): readonly NamedSum[] {
  const sums = createSums(groupBy);
  for (const { place, counts } of found) sums.add(place, counts);
  return sums.sorted().map((sum) => ({ tenant: '', place: placeOf(groupBy, sum), counts: sum.counts }));
}

function isUsed(name: string, sums: readonly NamedSum[]): boolean {
  const [, count] = counted.find(([column]) => column === name) ?? [];
  return count === undefined || count === 'requests' || sums.some(({ counts }) => counts[count] > 0);
}

function toRow(by: readonly By[], { tenant, place, counts }: NamedSum): Row {
  return {
    ...Object.fromEntries(by.map((name) => [name, (name === 'tenant' ? tenant : place[name]) ?? null])),
    ...Object.fromEntries(counted.map(([name, count]) => [name, counts[count]])),
    cost_usd: formatDollars(counts.cost),
  };
}
