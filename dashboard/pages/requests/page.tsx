/** Requests: the newest first, and one of them whole. Never a prompt or an answer. */
import type { RequestRow, RequestsListAnswer } from '../../../lib/admin/requests/schema.ts';
import { type Parameters, textOf } from '../../api/call.ts';
import type { PageProps } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { Button, Tabs } from '../../components/controls.tsx';
import { Link } from '../../components/link.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Section } from '../../components/surfaces.tsx';
import { ListTable } from '../../components/table/table.tsx';
import { counted, exactCount } from '../../format/numbers.ts';
import { exactMoment, moment } from '../../format/times.ts';
import { change, filters, query, range } from '../../state/location.ts';
import { filterNames } from '../../state/query.ts';
import { isLive } from '../../state/range.ts';
import { FirstRequest } from '../first-request.tsx';
import { columnsOf } from './columns.tsx';
import { RequestPanel } from './request-panel.tsx';
import { open, Running, running } from './running.tsx';
import { useNewest } from './use-newest.ts';

/** Those that reached no provider: they are in no other list, and in no sum. */
const refused = 'refused';

const states = [
  { name: '', title: 'All' },
  { name: 'ok', title: 'Succeeded' },
  { name: 'failed', title: 'Failed' },
  { name: 'interrupted', title: 'Interrupted' },
  { name: refused, title: 'Refused' },
  { name: open, title: 'Running' },
];

/** Those that only a link asks for. */
const backgroundRuns = { name: running, title: 'In the background' };

export function Page({ session }: PageProps) {
  const id = query.value.get('id');
  const chosen = filters.value;
  const { from, to } = range.value;
  const asked = { ...chosen, from, to };
  return (
    <div class="requests stack">
      <FindRequest />
      <Tabs
        label="Status"
        tabs={withStatus(chosen.status)}
        value={chosen.status ?? ''}
        onChange={(status) => change({ status }, { replace: true })}
      />
      {chosen.status === open || chosen.status === running ? (
        <Running key={textOf(chosen)} session={session} asked={chosen} />
      ) : (
        <List key={textOf(asked)} session={session} asked={asked} />
      )}
      {id && <RequestPanel id={id} />}
    </div>
  );
}

/** From the `x-request-id` of an answer to what became of the request, whether it reached a provider or not. */
function FindRequest() {
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const id = new FormData(event.currentTarget as HTMLFormElement).get('id');
    if (typeof id === 'string' && id.trim() !== '') change({ id: id.trim() });
  };
  return (
    <form class="find-request" onSubmit={find}>
      <input
        class="input"
        type="search"
        name="id"
        maxLength={128}
        placeholder="Request id (x-request-id)"
        aria-label="Request id"
      />
      <Button size="small">Find</Button>
    </form>
  );
}

/** The states, and an HTTP status that the URL asks for. */
function withStatus(status: string | undefined) {
  if (status === undefined || states.some(({ name }) => name === status)) return states;
  return [...states, status === running ? backgroundRuns : { name: status, title: `Status ${status}` }];
}

interface ListProps extends PageProps {
  readonly asked: Parameters;
}

function List({ session, asked }: ListProps) {
  const list = useList<RequestRow, RequestsListAnswer>('/requests', asked);
  const hasNewest = isLive(range.value, Date.now() / 1000);
  const newest = useNewest(list.rows, hasNewest ? asked : undefined, list.reload);
  const hasTenants = session.role === 'operator' && !filters.value.tenant;
  const { last } = list;
  return (
    <>
      <div class="newest" role="status">
        {newest.waiting > 0 && (
          <Button size="small" icon="up" onClick={newest.show}>
            {counted(newest.waiting, 'new request')}
            {newest.hasMore ? ' or more' : ''}
          </Button>
        )}
      </div>
      <ListTable
        label="Requests"
        rows={newest.rows}
        columns={columnsOf(hasTenants, asked.status === refused)}
        rowLink={({ id, tenant }) => ({ with: { id, of: hasTenants ? tenant : null } })}
        csv="requests"
        list={list}
        empty={<Nothing session={session} />}
      />
      {last?.refused && last.refused.length > 0 && <MostRefused counts={last.refused} />}
      {last && <Searched {...last} />}
    </>
  );
}

type Counts = NonNullable<RequestsListAnswer['refused']>;

/** Of the newest: whose requests are refused, and why. */
const MostRefused = ({ counts }: { readonly counts: Counts }) => (
  <Section title="How many, by key and reason">
    <table class="counts">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Error</th>
          <th scope="col">Model</th>
          <th scope="col" class="number">
            Requests
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ key, key_name: name, error, model, requests }) => (
          <tr key={`${key} ${error} ${model}`}>
            <td title={key}>
              <Link to="requests" with={{ status: refused, key }}>
                {name ?? key}
              </Link>
            </td>
            <td>
              <Link to="requests" with={{ status: refused, error }}>
                <code>{error}</code>
              </Link>
            </td>
            <td>{model}</td>
            <td class="number">{exactCount(requests)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Section>
);

const Searched = ({ searched_to: to, has_all_tenants: hasAll, tenants }: RequestsListAnswer) => (
  <p class="quiet">
    <span title={exactMoment(to)}>Searched back to {moment(to)} UTC.</span>
    {!hasAll &&
      ` Of the ${tenants.length} tenants that were active last: choose a tenant to see another one's.`}
  </p>
);

function Nothing({ session }: PageProps) {
  const hasFilters = Object.keys(filters.value).length > 0;
  if (!hasFilters && isLive(range.value, Date.now() / 1000)) return <FirstRequest session={session} />;
  return (
    <EmptyState title="No such requests in this time" icon="list">
      <p>Choose a longer time{hasFilters ? ', or remove a filter' : ''}.</p>
      <Button onClick={() => change({ range: '30d', from: null, to: null })}>Last 30 days</Button>{' '}
      {hasFilters && <Button onClick={() => change(withoutFilters)}>Remove the filters</Button>}
    </EmptyState>
  );
}

const withoutFilters = Object.fromEntries(filterNames.map((name) => [name, null]));
