/** The groups of the overview, the largest first, with what they were before. Each number leads to its requests. */
import type { ComponentChildren } from 'preact';
import type { OverviewAnswer, OverviewGroupAnswer } from '../../../lib/admin/usage/schema.ts';
import { ShareBar } from '../../charts/small.tsx';
import { Change, ModelName } from '../../components/surfaces.tsx';
import { type Column, type RowLink, Table } from '../../components/table/table.tsx';
import { inDollars, spend } from '../../format/money.ts';
import { changeOf, count, exactCount, share } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import type { Changes } from '../../state/query.ts';
import { failedWords, noneNames, titles, tokensOf } from './groups.ts';
import { ToRequests } from './to-requests.tsx';

type Group = Omit<OverviewGroupAnswer, 'slots'> & { readonly isOthers?: true };

interface GroupTableProps {
  readonly answer: OverviewAnswer;
  readonly linkOf: (id: string | null) => RowLink | undefined;
}

export function GroupTable({ answer, linkOf }: GroupTableProps) {
  const { groups, others, group_by: by } = answer;
  const rows: Group[] = [...groups];
  if (others) {
    const name = others.groups === null ? 'All others' : `${others.groups} others`;
    rows.push({ id: null, name, total: others.total, before: others.before, isOthers: true });
  }
  return (
    <Table
      label={`By ${by}`}
      rows={rows}
      columns={columnsOf(answer, Math.max(1, ...rows.map(({ total }) => total.cost_nano_usd ?? 0)))}
      rowKey={({ id, isOthers }) => (isOthers ? 'others' : `group ${id}`)}
      rowLink={({ id, isOthers }) => (isOthers ? undefined : linkOf(id))}
      csv={`by-${by}`}
    />
  );
}

/** To the requests of a group, unless it has no name by which they are found. */
const linked =
  (answer: OverviewAnswer, changes: Changes = {}) =>
  ({ id, isOthers }: Group, children: ComponentChildren, title?: string) => {
    if (isOthers || id === null) return <span title={title}>{children}</span>;
    return (
      <ToRequests span={answer} with={{ [answer.group_by]: id, ...changes }} title={title}>
        {children}
      </ToRequests>
    );
  };

function columnsOf(answer: OverviewAnswer, most: number): readonly Column<Group>[] {
  const { group_by: by } = answer;
  const link = linked(answer);
  const toFailed = linked(answer, { status: 'failed' });
  return [
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
      cell: (group) => {
        const { total } = group;
        const { text, exact, note } = spend(total);
        return (
          <span class="with-bar">
            {link(group, text, note ? `${exact}: ${note}` : exact)}
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
      cell: (group) => link(group, count(group.total.requests), exactCount(group.total.requests)),
    },
    {
      name: 'failed',
      title: 'Failed',
      kind: 'number',
      wide: true,
      value: ({ total }) => total.failed_requests,
      cell: (group) =>
        toFailed(group, share(group.total.failed_requests, group.total.requests), failedWords(group.total)),
    },
    {
      name: 'tokens',
      title: 'Tokens',
      kind: 'number',
      wide: true,
      value: ({ total }) => tokensOf(total),
      cell: (group) => link(group, count(tokensOf(group.total)), exactCount(tokensOf(group.total))),
    },
    {
      name: 'cached',
      title: 'Cached',
      kind: 'number',
      wide: true,
      value: ({ total }) => total.cached_share,
      cell: (group) => link(group, share(group.total.cached_tokens, group.total.prompt_tokens)),
    },
    {
      name: 'first_token',
      title: 'First token',
      kind: 'number',
      wide: true,
      value: ({ total }) => total.first_byte_ms?.p50,
      cell: (group) => {
        const { first_byte_ms: times } = group.total;
        return times ? link(group, duration(times.p50), `95% within ${duration(times.p95)}`) : '–';
      },
    },
  ];
}

function costChange({ total, before }: Group): number | null {
  if (total.unpriced_requests > 0 || before === null || before.unpriced_requests > 0) return null;
  return changeOf(total.cost_nano_usd, before.cost_nano_usd);
}
