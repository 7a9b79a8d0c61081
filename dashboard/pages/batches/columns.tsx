/** The columns of the list of batches, and how one fares in a word. */
import type { BatchRow } from '../../../lib/admin/batches/schema.ts';
import { Badge, ModelName, type Tone } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { amount, inDollars } from '../../format/money.ts';
import { exactCount } from '../../format/numbers.ts';
import { exactMoment, moment } from '../../format/times.ts';

const tones: Readonly<Partial<Record<BatchRow['status'], Tone>>> = {
  completed: 'good',
  failed: 'bad',
  expired: 'bad',
  cancelled: 'warn',
  cancelling: 'warn',
};

export const BatchStatus = ({ status }: Pick<BatchRow, 'status'>) => {
  const tone = tones[status];
  return <Badge {...(tone && { tone })}>{status.replace('_', ' ')}</Badge>;
};

export const answeredOf = ({ completed, failed }: BatchRow['counts']): number => completed + failed;

const tenant: Column<BatchRow> = {
  name: 'tenant',
  title: 'Tenant',
  wide: true,
  value: (row) => row.tenant,
};

const columns: readonly Column<BatchRow>[] = [
  {
    name: 'status',
    title: 'Status',
    value: ({ status }) => status,
    cell: (row) => <BatchStatus {...row} />,
  },
  {
    name: 'answered',
    title: 'Answered',
    kind: 'number',
    value: ({ counts }) => answeredOf(counts),
    cell: ({ counts }) => (
      <>
        {exactCount(answeredOf(counts))} of {exactCount(counts.total)}
      </>
    ),
  },
  {
    name: 'failed',
    title: 'Failed',
    kind: 'number',
    wide: true,
    value: ({ counts }) => counts.failed,
  },
  {
    name: 'models',
    title: 'Models',
    value: ({ models }) => models.join(' '),
    cell: ({ models: [first, ...others] }) =>
      first === undefined ? (
        '–'
      ) : (
        <>
          <ModelName id={first} />
          {others.length > 0 && <span class="quiet"> and {others.length} more</span>}
        </>
      ),
  },
  {
    name: 'cost',
    title: 'Cost',
    kind: 'number',
    value: ({ use }) => inDollars(use?.cost_nano_usd),
    cell: ({ use }) => {
      if (!use) return <span class="quiet">–</span>;
      const { text, exact } = amount(use.cost_nano_usd);
      return <span title={exact}>{text}</span>;
    },
  },
  {
    name: 'key',
    title: 'Key',
    wide: true,
    value: ({ key_name: name, key }) => name ?? key,
  },
  { name: 'id', title: 'Batch', wide: true, value: ({ id }) => id },
];

const created: Column<BatchRow> = {
  name: 'created',
  title: 'Created (UTC)',
  value: ({ created_at: at }) => new Date(at * 1000).toISOString(),
  cell: ({ created_at: at }) => <time title={exactMoment(at)}>{moment(at)}</time>,
};

export const columnsOf = (hasTenants: boolean): readonly Column<BatchRow>[] => [
  created,
  ...(hasTenants ? [tenant] : []),
  ...columns,
];
