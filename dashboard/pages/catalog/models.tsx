/** The models of the catalog: those that ship with the gateway, and those of operators. */
import type { ModelRowAnswer } from '../../../lib/admin/catalog/schema.ts';
import type { ModelAnswer, ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import { pageSizes } from '../../api/page-sizes.ts';
import { useList, useRead } from '../../api/use-read.ts';
import { Link } from '../../components/link.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Badge, Definitions } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { priceColumn } from '../token-price.tsx';
import { Listing } from './listing.tsx';
import { ModelForm, modelPath } from './model-form.tsx';
import { Remove, StoredPanel, WholeRow } from './stored.tsx';

/** A row that cannot be read is listed, too: it can be corrected. */
type Listed = Pick<ModelAnswer, 'id' | 'written_by'> &
  Partial<Pick<ModelAnswer, 'status' | 'price' | 'places' | 'aliases'>> & { readonly fault?: string };

export function Models() {
  const list = useList<ModelAnswer, ModelsListAnswer>('/models', { limit: pageSizes['/models'] });
  const withFaulty = (rows: readonly Listed[]) => [...(list.last?.faulty ?? []), ...rows];
  const rows = list.rows && withFaulty(list.rows);
  const all = async () => {
    const found = await list.all();
    return { ...found, rows: withFaulty(found.rows) };
  };
  return (
    <Listing<Listed>
      title="Models"
      noun="model"
      list={{ ...list, rows, all }}
      rows={rows}
      columns={columns}
      textOf={(model) => [model.id, providersOf(model), statusOf(model), model.aliases?.join(' ')].join(' ')}
      empty="The models that ship with the gateway come with its deployment."
      Form={ModelForm}
      panel={(model, onClose) => <ModelPanel key={model.id} listed={model} onClose={onClose} />}
    />
  );
}

const statusOf = ({ status, fault }: Listed) => (fault === undefined ? status : 'malformed');

const providersOf = ({ places = [] }: Listed) => places.map(({ provider }) => provider).join(', ');

const writerOf = ({ written_by: writer }: Pick<Listed, 'written_by'>) =>
  writer === 'seed' ? 'the gateway' : 'an operator';

const columns: readonly Column<Listed>[] = [
  { name: 'id', title: 'Model', value: ({ id }) => id },
  {
    name: 'status',
    title: 'Status',
    value: statusOf,
    cell: (model) => <Badge tone={statusOf(model) === 'active' ? 'good' : 'warn'}>{statusOf(model)}</Badge>,
  },
  { ...priceColumn('input', 'Input'), wide: true },
  { ...priceColumn('output', 'Output'), wide: true },
  { name: 'providers', title: 'Served by', value: providersOf, wide: true, sort: false },
  { name: 'written_by', title: 'Written by', value: writerOf, wide: true },
];

interface PanelProps {
  readonly listed: Listed;
  readonly onClose: () => void;
}

function ModelPanel({ listed, onClose }: PanelProps) {
  const { id, fault, written_by: writer } = listed;
  const path = modelPath(id);
  const { data: shown, error, reload } = useRead<ModelRowAnswer>(path);
  const remove = (close: () => void) => (
    <Remove id={id} path={path} etag={shown?.etag ?? ''} onClose={close} onRemoved={onClose}>
      <p>
        Requests for it are refused. If the gateway ships a row for it, that one is back with the next catalog
        sync.
      </p>
    </Remove>
  );
  return (
    <StoredPanel
      title={id}
      onClose={onClose}
      edit={shown ? (close) => <ModelForm shown={shown} onClose={close} /> : undefined}
      remove={shown && writer === 'operator' ? remove : undefined}
    >
      {error && <ErrorState error={error} retry={reload} />}
      <Definitions
        items={[
          ['Status', statusOf(listed)],
          ['What is wrong', fault],
          ['Served by', providersOf(listed)],
          ['Written by', writerOf(listed)],
        ]}
      />
      {fault === undefined && (
        <p class="links">
          <Link to="models" with={{ id }}>
            Prices and health
          </Link>
          <Link to="audit" with={{ action: 'models.set' }}>
            Who changed models
          </Link>
        </p>
      )}
      {shown ? <WholeRow row={shown.row} /> : !error && <Skeleton lines={8} />}
    </StoredPanel>
  );
}
