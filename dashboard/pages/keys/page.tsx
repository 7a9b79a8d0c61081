/** Keys: which there are and when they were last used; new ones, changes, rotation, and their end. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CreatedKeyAnswer, ListedKey, RotatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { Button, Tabs } from '../../components/controls.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { orderQuery } from '../../components/table/use-order.ts';
import { ago, exactMoment, fullDay } from '../../format/times.ts';
import { change, filters, query } from '../../state/location.ts';
import { limitsText } from '../form-values.ts';
import { moneyColumns } from '../money-columns.tsx';
import { CreateKey } from './key-dialogs.tsx';
import { KeyPanel, KeyStatus } from './key-panel.tsx';
import { NewSecret } from './new-secret.tsx';

const states = [
  { name: '', title: 'All' },
  { name: 'active', title: 'Active' },
  { name: 'expired', title: 'Expired' },
  { name: 'disabled', title: 'Disabled' },
];

export function Page({ session }: PageProps) {
  const { tenant, status, search } = filters.value;
  const list = useList<ListedKey>('/keys', {
    tenant,
    status,
    search,
    include: 'spend',
    ...orderQuery(columns),
  });
  const [isCreating, setCreating] = useState(false);
  // The only place of a secret. It is gone when the dialog closes.
  const [made, setMade] = useState<CreatedKeyAnswer | RotatedKeyAnswer>();
  const id = query.value.get('id');
  const mayCreate = session.role !== 'viewer';
  const create = mayCreate && (
    <Button kind="main" icon="plus" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <>
      <div class="head-row row row-wrap">
        <Tabs
          label="Status"
          tabs={states}
          value={states.find(({ name }) => name === status)?.name ?? ''}
          onChange={(name) => change({ status: name })}
        />
        {create}
      </div>
      <ListTable
        label="Keys"
        list={list}
        columns={columns.filter(({ name }) => name !== 'tenant' || session.role === 'operator')}
        csv="keys"
        empty={<NoKeys isFiltered={Object.keys(filters.value).length > 0} create={create} />}
      />
      {id && (
        <KeyPanel
          key={id}
          id={id}
          session={session}
          onClose={() => change({ id: null })}
          onRotated={setMade}
        />
      )}
      {isCreating && (
        <CreateKey
          session={session}
          onClose={() => setCreating(false)}
          onMade={(key) => {
            setCreating(false);
            setMade(key);
          }}
        />
      )}
      {made && (
        <NewSecret
          made={made}
          gatewayUrl={session.gateway_url}
          note={
            'replaced' in made
              ? `The old key works until ${exactMoment(made.replaced.expires_at)}.`
              : undefined
          }
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

const NoKeys = ({
  isFiltered,
  create,
}: {
  readonly isFiltered: boolean;
  readonly create: ComponentChildren;
}) =>
  isFiltered ? (
    <EmptyState title="No such keys" icon="key">
      <p>No key fits the filters.</p>
      <Button onClick={() => change({ status: null, tenant: null })}>Show all keys</Button>
    </EmptyState>
  ) : (
    <EmptyState title="No keys yet" icon="key">
      <p>
        Every request needs a key. Make one for each application or person, so that the usage of each can be
        seen.
      </p>
      {create}
    </EmptyState>
  );

const columns: readonly Column<ListedKey>[] = [
  { name: 'name', title: 'Name', value: ({ name, id }) => name ?? id, sort: 'name' },
  {
    name: 'status',
    title: 'Status',
    value: ({ status }) => status,
    cell: (key) => <KeyStatus shown={key} />,
  },
  { name: 'tenant', title: 'Tenant', value: ({ tenant }) => tenant, wide: true },
  { name: 'owner', title: 'Owner', value: ({ owner }) => owner, wide: true },
  ...moneyColumns<ListedKey>(),
  {
    name: 'last_used_at',
    title: 'Last used',
    sort: 'last_used',
    value: ({ last_used_at: time }) => time,
    cell: ({ last_used_at: time }) =>
      time === null ? <span class="quiet">never</span> : <Time at={time} text={usedText(time)} />,
  },
  {
    name: 'expires_at',
    title: 'Expires',
    value: ({ expires_at: time }) => time,
    cell: ({ expires_at: time }) =>
      time === null ? <span class="quiet">–</span> : <Time at={time} text={fullDay(time - 1)} />,
    wide: true,
  },
  {
    name: 'limits',
    title: 'Limits',
    value: limitsText,
    cell: (key) => {
      const text = limitsText(key);
      return (
        <span class="cut key-limits" title={text ?? undefined}>
          {text ?? <span class="quiet">–</span>}
        </span>
      );
    },
    wide: true,
    sort: false,
  },
  {
    name: 'created_at',
    title: 'Created',
    sort: 'created',
    value: ({ created_at: time }) => time,
    cell: ({ created_at: time }) => <Time at={time} text={fullDay(time)} />,
    wide: true,
  },
  { name: 'id', title: 'Id', value: ({ id }) => id, hidden: true },
  { name: 'models', title: 'Models', value: ({ models }) => models?.join(' ') ?? null, hidden: true },
];

/** A key is looked at by the day, but for those that are in use now. */
function usedText(time: number): string {
  const now = Date.now() / 1_000;
  return now - time < 86_400 ? ago(time, now) : fullDay(time);
}

const Time = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <time dateTime={new Date(at * 1_000).toISOString()} title={exactMoment(at)}>
    {text}
  </time>
);
