/** Alerts: what the gateway itself has found, newest first, and whether that is over. */
import type { AlertRow, AlertsListAnswer } from '../../../lib/admin/alerts/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { EmptyState } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { ago, exactMoment, moment } from '../../format/times.ts';
import { filters } from '../../state/location.ts';
import { useEvery } from '../use-every.ts';

const everyMs = 30_000;

export function Page({ session }: PageProps) {
  const { tenant } = filters.value;
  const list = useList<AlertRow, AlertsListAnswer>('/alerts', { tenant });
  useEvery(everyMs, list.reload, true);
  const hasTenants = session.role === 'operator' && !tenant;
  return (
    <ListTable
      label="Alerts"
      columns={hasTenants ? columns : columns.filter(({ name }) => name !== 'tenant')}
      csv="alerts"
      list={list}
      empty={
        <EmptyState title="No alerts" icon="warning">
          <p>
            A budget that is nearly used up, a provider whose calls fail, and sums that are behind are listed
            here.
          </p>
        </EmptyState>
      }
    />
  );
}

/** A budget is over its threshold until it begins again. */
const isOver = ({ until }: AlertRow) => until !== null && until <= Date.now() / 1_000;

const columns: readonly Column<AlertRow>[] = [
  {
    name: 'since',
    title: 'Since',
    value: ({ since }) => since,
    cell: ({ since }) => <span title={exactMoment(since)}>{ago(since, Date.now() / 1_000)}</span>,
  },
  {
    name: 'until',
    title: 'Until',
    value: ({ until }) => until,
    cell: (row) => (
      <>
        {!isOver(row) && <Badge tone="warn">now</Badge>}{' '}
        {row.until !== null && <span title={exactMoment(row.until)}>{moment(row.until).slice(0, -3)}</span>}
      </>
    ),
  },
  { name: 'message', title: 'What', value: ({ message }) => message, sort: false },
  { name: 'tenant', title: 'Tenant', value: ({ tenant }) => tenant, wide: true },
  {
    name: 'delivered',
    title: 'Sent',
    wide: true,
    value: ({ delivered }) => delivered,
    cell: ({ delivered }) => {
      if (delivered === null) return <span class="quiet">–</span>;
      return delivered ? 'delivered' : <Badge tone="bad">not delivered</Badge>;
    },
  },
];
