/** The audit log: who changed what, newest first, with what it was before. */
import type { AuditListAnswer, AuditRow } from '../../../lib/admin/audit/schema.ts';
import { useList } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { Panel } from '../../components/windows.tsx';
import { exactDollarsOf } from '../../format/money.ts';
import { ago, exactMoment } from '../../format/times.ts';
import { change, filters, query } from '../../state/location.ts';

export function Page() {
  const { tenant } = filters.value;
  const action = query.value.get('action') ?? undefined;
  const person = query.value.get('person') ?? undefined;
  const list = useList<AuditRow, AuditListAnswer>('/audit', { tenant, action, person, limit: 100 });
  const opened = query.value.get('id');
  const record = list.rows?.find((one) => one.id === opened);
  const given = [action, person].filter((filter) => filter !== undefined);
  const all = () => change({ action: null, person: null, tenant: null });
  return (
    <>
      {given.length > 0 && (
        <div class="head-row row row-wrap">
          <span>Only {given.join(' by ')}</span>
          <Button size="small" onClick={all}>
            Show all changes
          </Button>
        </div>
      )}
      <ListTable
        label="Changes"
        list={list}
        columns={columns}
        csv="audit"
        empty={<NoChanges isFiltered={given.length > 0 || tenant !== undefined} onAll={all} />}
      />
      {record && (
        <Panel title={record.action} onClose={() => change({ id: null })}>
          <Facts shown={record} />
        </Panel>
      )}
    </>
  );
}

const NoChanges = ({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) =>
  isFiltered ? (
    <EmptyState title="No such changes" icon="audit">
      <p>No change fits the filters.</p>
      <Button onClick={onAll}>Show all changes</Button>
    </EmptyState>
  ) : (
    <EmptyState title="No changes yet" icon="audit">
      <p>
        Every person who makes or changes a key, a tenant, a member or a provider is listed here, with what it
        was before.
      </p>
    </EmptyState>
  );

const Facts = ({ shown: record }: { readonly shown: AuditRow }) => (
  <>
    <Definitions
      items={[
        ['When', exactMoment(record.created_at)],
        ['Who', `${record.by.name} (${record.by.role.replace('_', ' ')})`],
        ['Signed in with', signedInWith[record.by.via] ?? record.by.via],
        ['What', record.target],
        ['Tenant', record.tenant ?? 'none'],
      ]}
    />
    <Section title="What changed">
      {record.before === null && record.after === null ? (
        <p class="quiet">Only operators see this.</p>
      ) : (
        <Definitions items={changesOf(record)} />
      )}
    </Section>
    <p class="links">
      <Button size="small" onClick={() => change({ person: record.by.id, id: null })}>
        All changes by {record.by.name}
      </Button>
      <Button size="small" onClick={() => change({ action: record.action, id: null })}>
        All of {record.action}
      </Button>
    </p>
  </>
);

/** By how the admin API knows who calls it. */
const signedInWith: Readonly<Record<string, string>> = {
  address: 'the link of the local gateway',
  key: 'an API key',
  management_key: 'a management key',
  oidc: 'single sign-on',
};

function changesOf({ before, after }: AuditRow): readonly (readonly [string, string])[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => {
    const now = textOf(name, after?.[name]);
    return [titleOf(name), before ? `${textOf(name, before[name])} → ${now}` : now];
  });
}

const titleOf = (name: string) => name.replace(/_usd$/, '').replaceAll('_', ' ').replace('.', ': ');

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'number' && /(_at|_until|^from)$/.test(name)) return exactMoment(value);
  return name.endsWith('_usd') ? exactDollarsOf(String(value)) : String(value);
}

/** In a few words, for the list and its file. */
const summaryOf = (record: AuditRow): string =>
  changesOf(record)
    .map(([name, text]) => `${name} ${text}`)
    .join('; ');

const columns: readonly Column<AuditRow>[] = [
  {
    name: 'created_at',
    title: 'When',
    value: ({ created_at: time }) => time,
    cell: ({ created_at: time }) => <span title={exactMoment(time)}>{ago(time, Date.now() / 1_000)}</span>,
  },
  { name: 'by', title: 'Who', value: ({ by }) => by.name },
  { name: 'action', title: 'Action', value: ({ action }) => action },
  { name: 'target', title: 'What', value: ({ target }) => target, wide: true },
  { name: 'tenant', title: 'Tenant', value: ({ tenant }) => tenant, wide: true },
  { name: 'change', title: 'Change', value: summaryOf, sort: false, wide: true },
];
