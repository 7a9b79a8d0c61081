/** The webhook of a tenant: the last events that it was to get, and a test of it. */
import { useState } from 'preact/hooks';
import type { TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import type {
  DeliveryRow,
  WebhookAnswer,
  WebhookTestAnswer,
} from '../../../lib/admin/tenants/webhook-schema.ts';
import { asError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { NoEntries, Problem } from '../../components/states.tsx';
import { Badge, Section, type Tone } from '../../components/surfaces.tsx';
import { duration, exactMoment } from '../../format/times.ts';
import { tenantPath } from './tenant-dialogs.tsx';

const tones: Readonly<Record<DeliveryRow['state'], Tone>> = {
  delivered: 'good',
  pending: 'warn',
  failed: 'bad',
};

const failures: Readonly<Record<NonNullable<WebhookTestAnswer['failure']>, string>> = {
  address_refused: 'the address is not on the public internet',
  gone: 'the receiver is gone (410)',
  no_webhook: 'there is no webhook',
  unreachable: 'no answer',
};

/** Only of a tenant that has one. */
export function Webhook({ shown: { id, alerts } }: { readonly shown: TenantAnswer }) {
  return alerts.webhook_url === null ? null : <WebhookSection path={`${tenantPath(id)}/webhook`} />;
}

function WebhookSection({ path }: { readonly path: string }) {
  const read = useRead<WebhookAnswer>(path);
  const { data: webhook } = read;
  return (
    <Section title="Webhook" actions={<SendTest path={path} />}>
      {webhook?.enabled === false && (
        <Problem text="The receiver answered 410 and gets no events. Set the URL again to enable it." />
      )}
      {webhook && webhook.deliveries.length > 0 ? (
        <ul class="entries stack">
          {webhook.deliveries.slice(0, shownAtOnce).map((delivery) => (
            <Delivery key={delivery.id} shown={delivery} />
          ))}
        </ul>
      ) : (
        <NoEntries read={read} none="No background response has ended in the last days." />
      )}
    </Section>
  );
}

/** The command line and the API have all that are kept. */
const shownAtOnce = 10;

const resultOf = ({ status, failure }: Pick<WebhookTestAnswer, 'status' | 'failure'>): string =>
  failure === null ? `${status}` : failures[failure];

const Delivery = ({ shown: delivery }: { readonly shown: DeliveryRow }) => (
  <li>
    <Badge tone={tones[delivery.state]}>{delivery.state}</Badge> {delivery.type}{' '}
    <code>{delivery.data_id}</code>
    {delivery.attempts.map((attempt) => (
      <span key={attempt.at} class="hint">
        {exactMoment(attempt.at)}: {resultOf(attempt)}
      </span>
    ))}
    {delivery.next_attempt_at !== null && (
      <span class="hint">next attempt {exactMoment(delivery.next_attempt_at)}</span>
    )}
  </li>
);

function SendTest({ path }: { readonly path: string }) {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<string>();
  const send = async () => {
    setBusy(true);
    try {
      const answer = await call<WebhookTestAnswer>('POST', `${path}/test`, { body: {} });
      setResult(`${resultOf(answer)} in ${duration(answer.duration_ms)}`);
    } catch (thrown) {
      setResult(asError(thrown).message);
    }
    setBusy(false);
  };
  return (
    <>
      {result !== undefined && (
        <span class="hint" role="status">
          {result}
        </span>
      )}
      <Button size="small" isBusy={isBusy} onClick={send}>
        Send test
      </Button>
    </>
  );
}
