/** The columns of groups: what they were charged, with what it was before, and for operators what is left of it. */
import type { ComponentChildren } from 'preact';
import { marginOf } from '../../../lib/admin/usage/margin.ts';
import type { OverviewAnswer } from '../../../lib/admin/usage/schema.ts';
import { ShareBar } from '../../charts/small.tsx';
import { Change, ModelName } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { costOf, inDollars, margin, spend } from '../../format/money.ts';
import { changeOf, count, exactCount, share } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import type { Changes, GroupName } from '../../state/query.ts';
import { Shown } from '../money-columns.tsx';
import { failedWords, filterOf, type GroupRow, noneName, rowGroups, titleOf, tokensOf } from './groups.ts';
import { ToRequests } from './to-requests.tsx';

interface Shape {
  readonly by: GroupName;
  readonly span: Pick<OverviewAnswer, 'from' | 'to'>;
  readonly isOfAll: boolean;
  readonly isOperator: boolean;
  /** The highest charge, whose bar is full. */
  readonly most: number;
}

const idOf = (row: GroupRow, by: GroupName) => (row[by] ?? null) as string | null;

/** To the requests of a group, unless it has no name by which they are found. */
const linked =
  ({ by, span }: Shape, changes: Changes = {}) =>
  (row: GroupRow, children: ComponentChildren, title?: string) => {
    const id = idOf(row, by);
    if (id === null) return <span title={title}>{children}</span>;
    const { tenant } = row;
    return (
      <ToRequests
        span={span}
        with={{ ...filterOf(by, id), ...(tenant && { tenant }), ...changes }}
        title={title}
      >
        {children}
      </ToRequests>
    );
  };

export function columnsOf(shape: Shape): readonly Column<GroupRow>[] {
  const { by, isOfAll, isOperator } = shape;
  const hasTenant = rowGroups(by, isOfAll).length > 1;
  return [
    nameColumn(by),
    ...(hasTenant ? [tenantColumn] : []),
    ...spendColumns(shape),
    ...(isOperator ? costColumns : []),
    ...countColumns(shape),
  ];
}

const nameColumn = (by: GroupName): Column<GroupRow> => ({
  name: by,
  title: titleOf(by),
  sort: 'name',
  value: (row) => row.key_name ?? idOf(row, by),
  cell: (row) => {
    const id = idOf(row, by);
    const name = row.key_name ?? id;
    if (by === 'model' && id) return <ModelName id={id} />;
    return (
      <span class="cut" title={name !== id ? `${name} (${id})` : (id ?? undefined)}>
        {name ?? <span class="quiet">{noneName(by)}</span>}
      </span>
    );
  },
});

const tenantColumn: Column<GroupRow> = {
  name: 'tenant',
  title: 'Tenant',
  wide: true,
  sort: false,
  value: ({ tenant }) => tenant,
  cell: ({ tenant }) => <span class="cut">{tenant}</span>,
};

const spendColumns = (shape: Shape): readonly Column<GroupRow>[] => [
  {
    name: 'cost',
    title: 'Spend',
    kind: 'number',
    sort: 'spend',
    value: (row) => inDollars(row.cost_nano_usd),
    cell: (row) => {
      const { text, exact, note } = spend(row);
      return (
        <span class="with-bar">
          {linked(shape)(row, text, note ? `${exact}: ${note}` : exact)}
          <ShareBar part={(row.cost_nano_usd ?? 0) / shape.most} />
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
    cell: (row) => <Change of={costChange(row)} />,
  },
];

function costChange({ before, ...now }: GroupRow): number | null {
  if (now.unpriced_requests > 0 || !before || before.unpriced_requests > 0) return null;
  return changeOf(now.cost_nano_usd, before.cost_nano_usd);
}

/** For operators. */
const costColumns: readonly Column<GroupRow>[] = [
  {
    name: 'provider_cost',
    title: 'Cost',
    kind: 'number',
    wide: true,
    sort: 'provider_cost',
    value: (row) => inDollars(row.provider_cost_nano_usd),
    cell: (row) => <Shown of={spend(costOf(row))} />,
  },
  {
    name: 'margin',
    title: 'Margin',
    kind: 'number',
    wide: true,
    sort: 'margin',
    value: (row) => inDollars(marginOf(row)),
    cell: (row) => <Shown of={margin(row)} />,
  },
];

const countColumns = (shape: Shape): readonly Column<GroupRow>[] => [
  {
    name: 'requests',
    title: 'Requests',
    kind: 'number',
    sort: 'requests',
    value: ({ requests }) => requests,
    cell: (row) => linked(shape)(row, count(row.requests), exactCount(row.requests)),
  },
  {
    name: 'failed',
    title: 'Failed',
    kind: 'number',
    wide: true,
    sort: 'failed',
    value: ({ failed_requests: failed }) => failed,
    cell: (row) =>
      linked(shape, { status: 'failed' })(row, share(row.failed_requests, row.requests), failedWords(row)),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    kind: 'number',
    wide: true,
    sort: 'tokens',
    value: tokensOf,
    cell: (row) => linked(shape)(row, count(tokensOf(row)), exactCount(tokensOf(row))),
  },
  {
    name: 'cached',
    title: 'Cached',
    kind: 'number',
    wide: true,
    value: ({ cached_share: cached }) => cached,
    cell: (row) => linked(shape)(row, share(row.cached_tokens, row.prompt_tokens)),
  },
  {
    name: 'first_token',
    title: 'First token',
    kind: 'number',
    wide: true,
    value: ({ first_byte_ms: times }) => times?.p50,
    cell: (row) => {
      const { first_byte_ms: times } = row;
      return times ? linked(shape)(row, duration(times.p50), `95% within ${duration(times.p95)}`) : '–';
    },
  },
];
