/** Alerts: what the gateway itself has found, newest first, and whether that is over. */
import type { AlertRow, AlertsListAnswer } from '../../../lib/admin/alerts/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { EmptyState } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { ago, exactMoment } from '../../format/times.ts';
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
const isOver = (row: AlertRow): row is AlertRow & { readonly until: number } =>
  row.until !== null && row.until <= Date.now() / 1_000;

const Moment = ({ at }: { readonly at: number }) => (
  <span title={exactMoment(at)}>{ago(at, Date.now() / 1_000)}</span>
);

const columns: readonly Column<AlertRow>[] = [
  {
    name: 'since',
    title: 'Since',
    value: ({ since }) => since,
    cell: ({ since }) => <Moment at={since} />,
  },
  {
    name: 'message',
    title: 'What',
    value: ({ message }) => message,
    cell: ({ message }) => <span class="sentence">{message}</span>,
    sort: false,
  },
  {
    name: 'until',
    title: 'Ended',
    value: ({ until }) => until,
    cell: (row) =>
      isOver(row) ? (
        <Moment at={row.until} />
      ) : (
        <span title={row.until === null ? undefined : `The budget starts again ${exactMoment(row.until)}`}>
          <Badge tone="warn">goes on</Badge>
        </span>
      ),
  },
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
