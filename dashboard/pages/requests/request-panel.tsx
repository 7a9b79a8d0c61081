/** One request whole, at an address of its own: how it went, what it used, and how its price is made up. */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RequestAnswer } from '../../../lib/admin/requests/schema.ts';
import type { ErrorGuide } from '../../../lib/core/errors/error-guide.ts';
import { useRead } from '../../api/use-read.ts';
import { AttemptChart } from '../../charts/attempt-chart.tsx';
import { CopyButton, Identifier } from '../../components/code.tsx';
import { Link } from '../../components/link.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { type Definition, Definitions, Section } from '../../components/surfaces.tsx';
import { Panel } from '../../components/windows.tsx';
import { amount } from '../../format/money.ts';
import { counted } from '../../format/numbers.ts';
import { duration, exactMoment } from '../../format/times.ts';
import { change, filters, query } from '../../state/location.ts';
import type { FilterName } from '../../state/query.ts';
import { Attempts } from './attempts.tsx';
import { StatusBadge } from './columns.tsx';
import { Guards } from './guards.tsx';

type Refusal = NonNullable<RequestAnswer['refusal']>;

export function RequestPanel({ id }: { readonly id: string }) {
  const tenant = query.value.get('of') ?? filters.value.tenant;
  const { data, error, reload } = useRead<RequestAnswer>(`/requests/${encodeURIComponent(id)}`, { tenant });
  return (
    <Panel title="Request" wide onClose={() => change({ id: null, of: null })}>
      {error && <ErrorState error={error} retry={reload} />}
      {data ? <Whole request={data} /> : !error && <Skeleton lines={10} />}
    </Panel>
  );
}

function Whole({ request }: { readonly request: RequestAnswer }) {
  const { attempts, total_ms: total, first_byte_ms: firstByte, error } = request;
  const cost = amount(request.cost_nano_usd);
  const isOpen = request.status === 'open';
  return (
    <div class="request">
      <div class="row row-wrap">
        <StatusBadge {...request} />
        <strong>{request.model}</strong>
        <CopyButton text={location.href} label="Copy the address of this request" />
      </div>
      {error && <ErrorMeaning code={error} />}
      {request.refusal && <Refused refusal={request.refusal} />}
      <Definitions
        items={[
          ['Time', exactMoment(request.created_at)],
          ['Cost', isOpen ? null : <span title={cost.exact}>{cost.text}</span>],
          ['Duration', total === null ? null : duration(total)],
          ['First token', firstByte === null ? null : duration(firstByte)],
          ['Requested model', request.requested_model],
          ['Deployment', request.provider === 'none' ? 'none' : `${request.provider}, ${request.region}`],
          ['Operation', request.operation.replaceAll('-', ' ')],
          ['Streamed', request.streamed ? 'yes' : 'no'],
          [
            'Changes for the provider',
            request.normalizations === 0 ? 'none' : counted(request.normalizations, 'change'),
          ],
        ]}
      />
      <Section title="Times">
        <AttemptChart
          attempts={attempts.map(({ provider, error: failure, began_after_ms, ended_after_ms }, index) => ({
            name: `${index + 1}. ${provider}`,
            hasFailed: failure !== null,
            from: began_after_ms,
            to: ended_after_ms,
          }))}
          total={total}
          firstByte={firstByte}
        />
      </Section>
      <Section title="Attempts and price">
        {attempts.length > 0 ? (
          <Attempts attempts={attempts} />
        ) : (
          <p class="quiet">
            {request.replayed ? 'It was answered from the cache, at no charge.' : 'No provider was called.'}
          </p>
        )}
      </Section>
      {request.guardrails.length > 0 && (
        <Section title="Guardrails">
          <Guards guards={request.guardrails} />
        </Section>
      )}
      <Section title="Ids">
        <Definitions items={idsOf(request)} />
      </Section>
    </div>
  );
}

const Refused = ({ refusal: { message, param, more } }: { readonly refusal: Refusal }) => (
  <div class="refusal">
    <p>
      Error message: <q>{message}</q>
      {param !== null && (
        <>
          {' '}
          (field <code>{param}</code>)
        </>
      )}
    </p>
    {more > 0 && <p class="quiet">{counted(more, 'more request')} refused alike before it are not listed.</p>}
  </div>
);

function idsOf({
  id,
  replayed,
  tenant,
  key,
  key_name: name,
  user,
  session,
  batch,
  tags,
}: RequestAnswer): readonly Definition[] {
  const found: readonly (readonly [string, FilterName, string | null])[] = [
    ['Tenant', 'tenant', tenant],
    [name === null ? 'Key' : `Key ${name}`, 'key', key],
    ['User', 'user', user],
    ['Session', 'session', session],
    ['Batch', 'batch', batch],
    ...Object.entries(tags).map(([tag, value]) => [`Tag ${tag}`, 'tag', `${tag}:${value}`] as const),
  ];
  return [
    ['Request', <Identifier key="id" text={id} />],
    ['Answer of', replayed === null ? null : <Identifier key="of" text={replayed.of} />],
    ...found.flatMap(([term, filter, value]): readonly Definition[] =>
      value === null ? [] : [[term, <Filtered key={term} filter={filter} value={value} />]],
    ),
  ];
}

/** An id, and the requests that have it. */
const Filtered = ({
  filter,
  value,
}: {
  readonly filter: FilterName;
  readonly value: string;
}): ComponentChildren => (
  <>
    <Identifier text={value} />{' '}
    <Link to="requests" with={{ [filter]: value, id: null, of: null }}>
      Its requests
    </Link>
  </>
);

function ErrorMeaning({ code }: { readonly code: string }) {
  const [guide, setGuide] = useState<ErrorGuide>();
  useEffect(() => {
    let isShown = true;
    // Without it, the code alone is shown.
    import('./error-guide.ts').then(
      ({ guideOf }) => isShown && setGuide(guideOf(code)),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [code]);
  return (
    <div class="error-meaning">
      <code>{code}</code>
      {guide && (
        <>
          <p>{withCode(guide.when)}</p>
          <p>{withCode(guide.what)}</p>
        </>
      )}
    </div>
  );
}

/** What the reference has between backticks is code. */
const withCode = (text: string) =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
