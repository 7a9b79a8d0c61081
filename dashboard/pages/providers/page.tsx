/** Providers: which are configured, how to get a key, and what failed lately. */
import type { ProviderAnswer, ProvidersListAnswer } from '../../../lib/admin/providers/schema.ts';
import { useList } from '../../api/use-read.ts';
import { EmptyState } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { change, query } from '../../state/location.ts';
import { Health } from '../health.tsx';
import { ProviderPanel } from './provider-panel.tsx';

export function Page() {
  const list = useList<ProviderAnswer, ProvidersListAnswer>('/providers');
  const id = query.value.get('id');
  const shown = list.rows?.find((provider) => provider.id === id);
  return (
    <>
      <p class="quiet">
        Keys are stored where the gateway reads them, and are never shown. Without its key a provider is not
        called; on your own machine, the sandbox answers in its place.
      </p>
      <ListTable
        label="Providers"
        rows={list.rows?.toSorted(byUse)}
        list={list}
        columns={columns}
        csv="providers"
        empty={<EmptyState title="No providers" icon="plug" />}
      />
      {shown && <ProviderPanel key={shown.id} provider={shown} onClose={() => change({ id: null })} />}
    </>
  );
}

/** Those that are configured, or nearly so, first. */
const byUse = (one: ProviderAnswer, other: ProviderAnswer) => rankOf(one) - rankOf(other);

const rankOf = ({ configured, problem }: ProviderAnswer) => {
  if (configured) return 0;
  return problem === null ? 2 : 1;
};

const columns: readonly Column<ProviderAnswer>[] = [
  { name: 'name', title: 'Provider', value: ({ name }) => name },
  {
    name: 'health',
    title: 'Health',
    value: ({ health }) => health.state,
    cell: ({ health }) => <Health health={health} />,
  },
  {
    name: 'configured',
    title: 'Configured',
    value: ({ configured, problem }) => (configured ? 'yes' : (problem ?? 'no')),
    cell: (provider) => <State provider={provider} />,
  },
  {
    name: 'sources',
    title: 'Read from',
    value: ({ sources }) => sources.join(', '),
    wide: true,
    sort: false,
  },
  { name: 'models', title: 'Models', value: ({ models }) => models, kind: 'number', wide: true },
  {
    name: 'failures',
    title: 'Recent failures',
    value: ({ health }) => health.failures_by_code.map(({ code, count }) => `${code} ${count}`).join(', '),
    wide: true,
    sort: false,
  },
];

export function State({ provider: { configured, problem } }: { readonly provider: ProviderAnswer }) {
  if (configured) return <Badge tone="good">configured</Badge>;
  return problem === null ? <span class="quiet">no key</span> : <Badge tone="warn">incomplete</Badge>;
}
