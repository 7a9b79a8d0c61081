/** One batch whole: what was planned, its jobs at providers, what is reserved for them, and how it is cancelled. */
import { useState } from 'preact/hooks';
import type { BatchAnswer } from '../../../lib/admin/batches/schema.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Identifier } from '../../components/code.tsx';
import { Button } from '../../components/controls.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm, Panel } from '../../components/windows.tsx';
import { amount } from '../../format/money.ts';
import { counted, exactCount } from '../../format/numbers.ts';
import { exactMoment } from '../../format/times.ts';
import { change, filters, query } from '../../state/location.ts';
import { useEvery } from '../use-every.ts';
import { answeredOf, BatchStatus } from './columns.tsx';

const everyMs = 15_000;

const ended: readonly BatchAnswer['status'][] = ['failed', 'completed', 'expired', 'cancelled', 'cancelling'];

interface PanelProps {
  readonly id: string;
  readonly mayCancel: boolean;
}

export function BatchPanel({ id, mayCancel }: PanelProps) {
  const tenant = query.value.get('of') ?? filters.value.tenant;
  const { data, error, reload } = useRead<BatchAnswer>(`/batches/${encodeURIComponent(id)}`, { tenant });
  useEvery(everyMs, reload, true);
  return (
    <Panel title="Batch" wide onClose={() => change({ id: null, of: null })}>
      {error && <ErrorState error={error} retry={reload} />}
      {data ? <Whole batch={data} mayCancel={mayCancel} /> : !error && <Skeleton lines={8} />}
    </Panel>
  );
}

const amountOf = (nano: number | null | undefined) => {
  if (nano === undefined) return null;
  const { text, exact } = amount(nano);
  return <span title={exact}>{text}</span>;
};

function Whole({ batch, mayCancel }: { readonly batch: BatchAnswer; readonly mayCancel: boolean }) {
  const { counts, use, plan, job_list: jobs, problems } = batch;
  return (
    <div class="batch">
      <div class="row row-wrap">
        <BatchStatus {...batch} />
        <strong>
          {exactCount(answeredOf(counts))} of {counted(counts.total, 'line')} answered
        </strong>
        {mayCancel && !ended.includes(batch.status) && <Cancel batch={batch} />}
      </div>
      <Definitions
        items={[
          ['Created', exactMoment(batch.created_at)],
          ['Expires', exactMoment(batch.expires_at)],
          ['Cost', use && amountOf(use.cost_nano_usd)],
          ['Providers take', use && amountOf(use.provider_cost_nano_usd)],
          ['Tokens', use && `${exactCount(use.input_tokens)} → ${exactCount(use.output_tokens)}`],
          ['Failed', exactCount(counts.failed)],
          ['Cancelled', exactCount(counts.cancelled)],
          ['Expired', exactCount(counts.expired)],
          ['Operation', batch.operation.replaceAll('-', ' ')],
          ['Lines without a batch API', batch.mode === 'any' ? 'single requests' : 'refused'],
        ]}
      />
      {problems.length > 0 && (
        <Section title="Why its file was refused">
          <ul>
            {problems.map(({ code, line }) => (
              <li key={`${line} ${code}`}>
                {line === null ? '' : `Line ${line}: `}
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {plan.length > 0 && (
        <Section title="Plan">
          <ul class="entries stack">
            {plan.map((planned) => (
              <li key={`${planned.model} ${planned.provider} ${planned.region} ${planned.by}`}>
                {planned.model}{' '}
                <span class="hint">
                  {counted(planned.lines, 'line')}, {planned.provider} in {planned.region},{' '}
                  {planned.by === 'native' ? 'by its batch API' : 'as single requests'},{' '}
                  {planned.price_factor === null
                    ? 'price unknown'
                    : `at ${Math.round(planned.price_factor * 100)} % of the list price`}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {jobs.length > 0 && (
        <Section title="Jobs">
          <ul class="entries stack">
            {jobs.map((job) => (
              <Job key={job.n} job={job} />
            ))}
          </ul>
        </Section>
      )}
      <Section title="Ids">
        <Definitions
          items={[
            ['Batch', <Identifier text={batch.id} />],
            ['Input file', <Identifier text={batch.input_file_id} />],
            ['Output file', batch.output_file_id && <Identifier text={batch.output_file_id} />],
            ['Error file', batch.error_file_id && <Identifier text={batch.error_file_id} />],
          ]}
        />
      </Section>
    </div>
  );
}

const Job = ({ job }: { readonly job: BatchAnswer['job_list'][number] }) => (
  <li>
    {job.model} <span class="quiet">{job.status}</span>
    <span class="hint">
      {exactCount(answeredOf(job.counts))} of {counted(job.lines, 'line')} answered, {job.by} in {job.region}
      {job.is_cancelled ? ', cancelled' : ''}
    </span>
    {job.held_nano_usd !== null && <span class="hint">reserved {amountOf(job.held_nano_usd)}</span>}
    {job.use && <span class="hint">cost {amountOf(job.use.cost_nano_usd)}</span>}
    {job.next_poll_at !== null && <span class="hint">asked for again {exactMoment(job.next_poll_at)}</span>}
  </li>
);

function Cancel({ batch: { id, tenant } }: { readonly batch: BatchAnswer }) {
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    await write('POST', `/batches/${encodeURIComponent(id)}/cancel`, { body: { tenant } });
    toast('The batch is being cancelled.');
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Cancel the batch
      </Button>
      {isAsking && (
        <Confirm
          title="Cancel this batch?"
          yes="Cancel the batch"
          no="Keep it"
          isDanger
          act={act}
          onClose={() => setAsking(false)}
        >
          <p>What was not sent is dropped. What was answered by then is kept, and billed.</p>
        </Confirm>
      )}
    </>
  );
}
