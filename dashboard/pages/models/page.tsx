/** Models: what they can do, what they cost, where they are served and how these deployments do. */
import type { ModelAnswer, ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import { pageSizes } from '../../api/page-sizes.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { Button, Tabs } from '../../components/controls.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { count } from '../../format/numbers.ts';
import { change, query } from '../../state/location.ts';
import { Health } from '../health.tsx';
import { priceColumn } from '../token-price.tsx';
import { ModelPanel } from './model-panel.tsx';

const states = [
  { name: 'active', title: 'Active' },
  { name: 'deprecated', title: 'Deprecated' },
  { name: 'all', title: 'All' },
];

/** As much of the catalog as one page has, so that typing finds at once. */
const limit = pageSizes['/models'];

export function Page({ session }: PageProps) {
  const list = useList<ModelAnswer, ModelsListAnswer>('/models', { limit });
  const search = query.value.get('search') ?? '';
  const status = query.value.get('status') ?? 'active';
  const id = query.value.get('id');
  const rows = list.rows?.filter((model) => isShown(model, status, search));
  const isOperator = session.role === 'operator';
  const shown = list.rows?.find((model) => model.id === id);
  return (
    <>
      <div class="head-row row row-wrap">
        <Tabs
          label="Status"
          tabs={states}
          value={status}
          onChange={(name) => change({ status: name === 'active' ? null : name })}
        />
        <input
          class="input search"
          type="search"
          aria-label="Search models"
          placeholder="Name, owner or ability"
          value={search}
          onInput={({ currentTarget }) => change({ search: currentTarget.value || null }, { replace: true })}
        />
      </div>
      <p class="quiet">
        {isOperator
          ? 'Prices are what the providers take, in US dollars for a million tokens.'
          : 'Prices are what you are charged, in US dollars for a million tokens.'}
      </p>
      <ListTable
        label="Models"
        rows={rows}
        list={list}
        columns={columns}
        csv="models"
        empty={
          <EmptyState title="No such models" icon="cube">
            <p>No model fits the search.</p>
            <Button onClick={() => change({ search: null, status: 'all' })}>Show all models</Button>
          </EmptyState>
        }
      />
      {shown && (
        <ModelPanel
          key={shown.id}
          model={shown}
          isOperator={isOperator}
          onClose={() => change({ id: null })}
        />
      )}
    </>
  );
}

/** Every word is in a name, an owner, or something that the model can do. */
function isShown(model: ModelAnswer, status: string, search: string): boolean {
  if (status !== 'all' && model.status !== status) return false;
  const { id, name, aliases, places } = model;
  const text = [id, name, ...aliases, ...abilities(model), ...places.map(({ provider }) => provider)]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What it can do beside text. */
function abilities({ capabilities }: ModelAnswer): readonly string[] {
  const { operations, input, output, reasoning, structured_output, web_search } = capabilities;
  return [
    ...input.filter((kind) => kind !== 'text'),
    ...(output.includes('image') ? ['makes images'] : []),
    ...(operations.includes('embeddings') ? ['embeddings'] : []),
    ...(operations.includes('moderations') ? ['moderation'] : []),
    ...(operations.includes('rerank') ? ['rerank'] : []),
    ...(operations.includes('audio_speech') ? ['speech'] : []),
    ...(operations.includes('audio_transcriptions') ? ['transcription'] : []),
    ...(operations.includes('realtime') ? ['realtime'] : []),
    ...(reasoning ? ['reasoning'] : []),
    ...(structured_output === 'schema' ? ['schemas'] : []),
    ...(web_search ? ['web search'] : []),
  ];
}

const columns: readonly Column<ModelAnswer>[] = [
  {
    name: 'name',
    title: 'Model',
    value: ({ name }) => name,
    cell: ({ name, status, allowed }) => (
      <>
        {name} {status !== 'active' && <Badge tone="warn">{status}</Badge>}
        {!allowed && <Badge>not allowed</Badge>}
      </>
    ),
  },
  { name: 'owner', title: 'Owner', value: ({ owner }) => owner, wide: true },
  {
    name: 'can',
    title: 'Beside text',
    value: (model) => abilities(model).join(', '),
    wide: true,
    sort: false,
  },
  {
    name: 'context',
    title: 'Context',
    value: ({ context }) => context.window,
    cell: ({ context }) => (context.window === null ? <span class="quiet">–</span> : count(context.window)),
    kind: 'number',
    wide: true,
  },
  priceColumn('input', 'Input'),
  priceColumn('output', 'Output'),
  {
    name: 'health',
    title: 'Deployments',
    value: ({ places }) => places.map(({ provider, health }) => `${provider}: ${health.state}`).join(', '),
    cell: ({ places }) => <DeploymentsSummary places={places} />,
    wide: true,
    sort: false,
  },
  { name: 'id', title: 'Id', value: ({ id }) => id, hidden: true },
];

/** The deployment that is known to be worst; else how many there are. */
function DeploymentsSummary({ places }: Pick<ModelAnswer, 'places'>) {
  const [worst] = ['failing', 'degraded', 'healthy'].flatMap(
    (state) => places.find(({ health }) => health.state === state) ?? [],
  );
  return (
    <>
      {places.length} {worst && <Health health={worst.health} />}
    </>
  );
}
