/** The groups of the overview, the largest first, with what they were before. */
import type { OverviewAnswer, OverviewGroup, OverviewGroupAnswer } from '../../../lib/admin/usage/schema.ts';
import { ShareBar } from '../../charts/small.tsx';
import { Link } from '../../components/link.tsx';
import { Change, ModelName } from '../../components/surfaces.tsx';
import { type Column, type RowLink, Table } from '../../components/table/table.tsx';
import { inDollars, spend } from '../../format/money.ts';
import { changeOf, count, exactCount, share } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import { failedWords, noneNames, titles, tokensOf } from './groups.ts';

type Group = Omit<OverviewGroupAnswer, 'slots'> & { readonly isOthers?: true };

interface GroupTableProps {
  readonly answer: OverviewAnswer;
  readonly linkOf: (id: string | null) => RowLink | undefined;
}

export function GroupTable({ answer: { groups, others, group_by: by }, linkOf }: GroupTableProps) {
  const rows: Group[] = [...groups];
  if (others) {
    const name = others.groups === null ? 'All others' : `${others.groups} others`;
    rows.push({ id: null, name, total: others.total, before: others.before, isOthers: true });
  }
  return (
    <Table
      label={`By ${by}`}
      rows={rows}
      columns={columnsOf(by, Math.max(1, ...rows.map(({ total }) => total.cost_nano_usd ?? 0)))}
      rowKey={({ id, isOthers }) => (isOthers ? 'others' : `group ${id}`)}
      rowLink={({ id, isOthers }) => (isOthers ? undefined : linkOf(id))}
      csv={`by-${by}`}
    />
  );
}

const columnsOf = (by: OverviewGroup, most: number): readonly Column<Group>[] => [
  {
    name: by,
    title: titles[by],
    value: ({ id, name }) => name ?? id,
    cell: ({ id, name }) =>
      by === 'model' && id ? (
        <ModelName id={id} />
      ) : (
        <span class="cut" title={name && id && name !== id ? `${name} (${id})` : (id ?? undefined)}>
          {name ?? id ?? <span class="quiet">{noneNames[by]}</span>}
        </span>
      ),
  },
  {
    name: 'cost',
    title: 'Spend',
    kind: 'number',
    value: ({ total }) => inDollars(total.cost_nano_usd),
    cell: ({ total }) => {
      const { text, exact, note } = spend(total);
      return (
        <span class="with-bar" title={note ? `${exact}: ${note}` : exact}>
          {text}
          <ShareBar part={(total.cost_nano_usd ?? 0) / most} />
        </span>
      );
    },
  },
  {
    name: 'change',
    title: 'Change',
    kind: 'number',
    wide: true,
    value: costChange,
    cell: (group) => <Change of={costChange(group)} />,
  },
  {
    name: 'requests',
    title: 'Requests',
    kind: 'number',
    value: ({ total }) => total.requests,
    cell: ({ id, total, isOthers }) => {
      const text = <span title={exactCount(total.requests)}>{count(total.requests)}</span>;
      if (isOthers || id === null) return text;
      return (
        <Link to="requests" with={{ [by]: id }} class="plain">
          {text}
        </Link>
      );
    },
  },
  {
    name: 'failed',
    title: 'Failed',
    kind: 'number',
    wide: true,
    value: ({ total }) => total.failed_requests,
    cell: ({ total }) => (
      <span title={failedWords(total)}>{share(total.failed_requests, total.requests)}</span>
    ),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    kind: 'number',
    wide: true,
    value: ({ total }) => tokensOf(total),
    cell: ({ total }) => <span title={exactCount(tokensOf(total))}>{count(tokensOf(total))}</span>,
  },
  {
    name: 'cached',
    title: 'Cached',
    kind: 'number',
    wide: true,
    value: ({ total }) => total.cached_share,
    cell: ({ total }) => share(total.cached_tokens, total.prompt_tokens),
  },
  {
    name: 'first_token',
    title: 'First token',
    kind: 'number',
    wide: true,
    value: ({ total }) => total.first_byte_ms?.p50,
    cell: ({ total: { first_byte_ms: times } }) =>
      times ? <span title={`95% within ${duration(times.p95)}`}>{duration(times.p50)}</span> : '–',
  },
];

function costChange({ total, before }: Group): number | null {
  if (total.unpriced_requests > 0 || before === null || before.unpriced_requests > 0) return null;
  return changeOf(total.cost_nano_usd, before.cost_nano_usd);
}
