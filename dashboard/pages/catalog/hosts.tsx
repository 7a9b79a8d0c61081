/** Hosts that operators have added: servers with OpenAI's protocol. */
import type { HostAnswer, HostsListAnswer } from '../../../lib/admin/catalog/schema.ts';
import { useList } from '../../api/use-read.ts';
import { Link } from '../../components/link.tsx';
import { Definitions } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { HostForm, hostPath } from './host-form.tsx';
import { served } from './host-values.ts';
import { Listing } from './listing.tsx';
import { Remove, StoredPanel, WholeRow } from './stored.tsx';

export function Hosts() {
  const list = useList<HostAnswer, HostsListAnswer>('/hosts');
  return (
    <Listing
      title="Hosts"
      noun="host"
      list={list}
      rows={list.rows}
      columns={columns}
      textOf={({ id, base_url: url }) => `${id} ${url ?? ''}`}
      empty="A host is a server of yours, or a provider, that speaks OpenAI's protocol. The built-in ones are under Providers."
      Form={HostForm}
      panel={(host, onClose) => <HostPanel key={host.id} shown={host} onClose={onClose} />}
    />
  );
}

const signingOf = ({ row }: HostAnswer) => (row?.needsKey === false ? 'none' : 'bearer');

const servesOf = ({ row }: HostAnswer) =>
  ['chat', ...served.flatMap(({ member, title }) => (row?.[member] ? title.toLowerCase() : []))].join(', ');

const writerOf = ({ written_by: writer }: HostAnswer) =>
  writer === 'file' ? 'the hosts file' : 'an operator';

const columns: readonly Column<HostAnswer>[] = [
  { name: 'id', title: 'Host', value: ({ id }) => id },
  { name: 'base_url', title: 'Base URL', value: ({ base_url: url }) => url ?? 'malformed' },
  { name: 'key', title: 'API key', value: signingOf },
  { name: 'serves', title: 'Serves', value: servesOf, wide: true, sort: false },
  { name: 'written_by', title: 'Written by', value: writerOf, wide: true },
];

interface PanelProps {
  readonly shown: HostAnswer;
  readonly onClose: () => void;
}

function HostPanel({ shown: host, onClose }: PanelProps) {
  const { id, base_url: url, written_by: writer, etag, row } = host;
  const isOwn = writer === 'operator';
  const remove = (close: () => void) => (
    <Remove id={id} path={hostPath(id)} etag={etag} onClose={close} onRemoved={onClose}>
      <p>Its models stay in the catalog, and their requests fail. Its stored API key is not removed.</p>
    </Remove>
  );
  return (
    <StoredPanel
      title={id}
      onClose={onClose}
      edit={isOwn ? (close) => <HostForm shown={host} onClose={close} /> : undefined}
      remove={isOwn ? remove : undefined}
    >
      <Definitions
        items={[
          ['Base URL', url ?? 'malformed'],
          ['API key', signingOf(host)],
          ['Serves', servesOf(host)],
          ['Written by', isOwn ? writerOf(host) : 'the hosts file of this gateway: change it there'],
        ]}
      />
      <p class="links">
        <Link to="providers" with={{ id }}>
          Its key and health
        </Link>
        <Link to="catalog" with={{ part: null, id: null, search: id }}>
          Its models
        </Link>
      </p>
      <WholeRow row={row} />
    </StoredPanel>
  );
}
