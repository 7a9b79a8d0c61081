/** Batches: those of a tenant, or of all tenants that have not ended, and one of them whole. Never a line of one. */
import type { BatchesListAnswer, BatchRow } from '../../../lib/admin/batches/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { EmptyState } from '../../components/states.tsx';
import { ListTable } from '../../components/table/table.tsx';
import { filters, query } from '../../state/location.ts';
import { useEvery } from '../use-every.ts';
import { BatchPanel } from './batch-panel.tsx';
import { columnsOf } from './columns.tsx';

const everyMs = 15_000;

export function Page({ session }: PageProps) {
  const { tenant, key } = filters.value;
  const list = useList<BatchRow, BatchesListAnswer>('/batches', { tenant, key });
  useEvery(everyMs, list.reload, true);
  const id = query.value.get('id');
  const hasTenants = session.role === 'operator' && !tenant;
  return (
    <div class="batches">
      {hasTenants && <p class="quiet">Batches that have not ended. Choose a tenant to see its others.</p>}
      <ListTable
        label="Batches"
        columns={columnsOf(hasTenants)}
        rowLink={({ id: batch, tenant: of }) => ({ with: { id: batch, of: hasTenants ? of : null } })}
        csv="batches"
        list={list}
        empty={<EmptyState title={hasTenants ? 'No batch runs now' : 'No batches'} icon="stack" />}
      />
      {id && <BatchPanel key={id} id={id} mayCancel={session.role !== 'viewer'} />}
    </div>
  );
}
