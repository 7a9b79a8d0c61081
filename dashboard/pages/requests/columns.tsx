/** The columns of the list of requests, and how one ended in a word. */
import type { RequestRow } from '../../../lib/admin/requests/schema.ts';
import { Badge, ModelName, type Tone } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { amount, inDollars } from '../../format/money.ts';
import { count, exactCount } from '../../format/numbers.ts';
import { duration, exactMoment, moment } from '../../format/times.ts';

const milliseconds = (value: number | null) => (value === null ? '–' : duration(value));

const time: Column<RequestRow> = {
  name: 'time',
  title: 'Time (UTC)',
  value: ({ created_at: at }) => new Date(at * 1000).toISOString(),
  cell: ({ created_at: at }) => (
    <time title={exactMoment(at)}>
      {moment(at).slice(0, -3)}
      <span class="wide">{moment(at).slice(-3)}</span>
    </time>
  ),
};

const tenant: Column<RequestRow> = {
  name: 'tenant',
  title: 'Tenant',
  wide: true,
  value: (row) => row.tenant,
  cell: (row) => <Cut isShort text={row.tenant} />,
};

const outcome: readonly Column<RequestRow>[] = [
  {
    name: 'status',
    title: 'Status',
    value: ({ status, http_status, error, replayed }) =>
      [replayed ? 'cached' : status, http_status, error].filter((part) => part !== null).join(' '),
    cell: (row) => <StatusBadge {...row} />,
  },
  {
    name: 'model',
    title: 'Model',
    value: ({ model }) => model,
    cell: ({ model }) => <ModelName id={model} />,
  },
  {
    name: 'cost',
    title: 'Cost',
    kind: 'number',
    value: ({ cost_nano_usd: nano }) => inDollars(nano),
    cell: ({ cost_nano_usd: nano, status }) => {
      if (status === 'open') return <span class="quiet">–</span>;
      const { text, exact } = amount(nano);
      return (
        <span class={nano === null ? 'quiet' : undefined} title={exact}>
          {text}
        </span>
      );
    },
  },
  {
    name: 'tokens',
    title: 'Tokens',
    kind: 'number',
    wide: true,
    value: ({ prompt_tokens: input, completion_tokens: output }) =>
      input === null && output === null ? null : (input ?? 0) + (output ?? 0),
    cell: ({ prompt_tokens: input, completion_tokens: output }) =>
      input === null && output === null ? (
        '–'
      ) : (
        <span title={`${exactCount(input ?? 0)} input, ${exactCount(output ?? 0)} output`}>
          {count(input ?? 0)} → {count(output ?? 0)}
        </span>
      ),
  },
  {
    name: 'first_token',
    title: 'First token',
    kind: 'number',
    wide: true,
    value: ({ first_byte_ms: first }) => first,
    cell: ({ first_byte_ms: first }) => milliseconds(first),
  },
  {
    name: 'total',
    title: 'Duration',
    kind: 'number',
    wide: true,
    value: ({ total_ms: total }) => total,
    cell: ({ total_ms: total }) => milliseconds(total),
  },
];

const caller: readonly Column<RequestRow>[] = [
  {
    name: 'key',
    title: 'Key',
    wide: true,
    value: ({ key }) => key,
    cell: ({ key, key_name: name }) => <Cut isShort text={name ?? key} title={key} />,
  },
  {
    name: 'user',
    title: 'User',
    wide: true,
    value: ({ user }) => user,
    cell: ({ user }) => <Cut isShort text={user ?? '–'} />,
  },
];

/** What only the file has, one value in each column. */
const saved: readonly Column<RequestRow>[] = (
  [
    ['request_id', ({ id }) => id],
    ['http_status', ({ http_status: status }) => status],
    ['error', ({ error }) => error],
    ['field', ({ refusal }) => refusal?.param ?? null],
    ['more_alike', ({ refusal }) => refusal?.more ?? null],
    ['guard', ({ guard }) => guard],
    ['answer_of', ({ replayed }) => replayed?.of ?? null],
    ['operation', ({ operation }) => operation],
    ['requested_model', ({ requested_model: model }) => model],
    ['provider', ({ provider }) => provider],
    ['region', ({ region }) => region],
    ['input_tokens', ({ prompt_tokens: tokens }) => tokens],
    ['cached_tokens', ({ cached_tokens: tokens }) => tokens],
    ['output_tokens', ({ completion_tokens: tokens }) => tokens],
    ['cost_nano_usd', ({ cost_nano_usd: nano }) => nano],
    ['key_name', ({ key_name: name }) => name],
    ['session', ({ session }) => session],
    ['batch', ({ batch }) => batch],
    [
      'tags',
      ({ tags }) =>
        Object.entries(tags)
          .map((tag) => tag.join('='))
          .join(' '),
    ],
  ] satisfies [string, Column<RequestRow>['value']][]
).map(([name, value]) => ({ name, title: name, value, hidden: true }));

/** Of those that reached no provider, in place of what they used. */
const reason: Column<RequestRow> = {
  name: 'reason',
  title: 'Reason',
  value: ({ refusal }) => refusal?.message ?? null,
  cell: ({ refusal }) => (
    <>
      <Cut text={refusal?.message ?? '–'} />
      {(refusal?.more ?? 0) > 0 && (
        <span class="quiet"> and {exactCount(refusal?.more ?? 0)} more alike</span>
      )}
    </>
  ),
};

const [status, model] = outcome;
const refused = [status, model, reason].filter((column) => column !== undefined);

/** Of several tenants, or of one. What matters most is first: a narrow table scrolls. */
export const columnsOf = (hasTenants: boolean, areRefused = false): readonly Column<RequestRow>[] => [
  time,
  ...(areRefused ? refused : outcome),
  ...(hasTenants ? [tenant] : []),
  ...caller,
  ...saved,
];

interface CutProps {
  readonly text: string;
  readonly title?: string;
  readonly isShort?: true;
}

const Cut = ({ text, title = text, isShort }: CutProps) => (
  <span class={isShort ? 'cut is-short' : 'cut'} title={title}>
    {text}
  </span>
);

type Ending = Pick<RequestRow, 'status' | 'http_status' | 'error' | 'replayed'>;

const tones: Readonly<Record<RequestRow['status'], Tone | undefined>> = {
  ok: undefined,
  failed: 'bad',
  open: 'accent',
  interrupted: 'warn',
  queued: undefined,
  in_progress: 'accent',
  refused: 'warn',
};

const words: Readonly<Record<RequestRow['status'], string>> = {
  ok: 'ok',
  failed: 'failed',
  open: 'running',
  interrupted: 'interrupted',
  queued: 'queued',
  in_progress: 'running',
  refused: 'refused',
};

export function StatusBadge({ status, http_status: http, error, replayed }: Ending) {
  const isCached = replayed !== null && status === 'ok';
  const tone = isCached ? 'good' : tones[status];
  const code = status === 'failed' || status === 'refused' ? (http ?? '') : '';
  return (
    <span title={error ?? undefined}>
      <Badge {...(tone && { tone })}>
        <span class={code === '' ? undefined : 'wide'}>{isCached ? 'cached' : words[status]} </span>
        {code}
      </Badge>
    </span>
  );
}
