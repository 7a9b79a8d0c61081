/** What a tenant owes for a month: its charges by model, the adjustments, and the total; and the end of a month. Amounts are exact. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { InvoiceAnswer } from '../../../lib/admin/tenants/invoice-schema.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { exactDollarsOf } from '../../format/money.ts';
import { counted } from '../../format/numbers.ts';
import { exactMoment } from '../../format/times.ts';
import { tenantPath } from './tenant-dialogs.tsx';

interface InvoiceProps {
  readonly tenant: string;
  readonly actions: ComponentChildren;
}

/** Months that can be chosen: as long as the default ledger, and this one. */
const monthsBack = 13;

const lastMonths = (): readonly string[] => {
  const now = new Date();
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
};

export function Invoice({ tenant, actions }: InvoiceProps) {
  const months = lastMonths();
  const [month = '', setMonth] = useState(months[0]);
  const { data: invoice, error, reload } = useRead<InvoiceAnswer>(`${tenantPath(tenant)}/invoice`, { month });
  const [isClosing, setClosing] = useState(false);
  const close = month !== months[0] && invoice?.status === 'draft' && (
    <Button size="small" onClick={() => setClosing(true)}>
      Close the month
    </Button>
  );
  return (
    <Section
      title="Invoice"
      actions={
        <>
          {close} {actions}
        </>
      }
    >
      <label>
        Month{' '}
        <select class="input" value={month} onChange={({ currentTarget }) => setMonth(currentTarget.value)}>
          {months.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {error && <ErrorState error={error} retry={reload} />}
      {isClosing && invoice && <CloseMonth invoice={invoice} onClose={() => setClosing(false)} />}
      {invoice ? <Lines invoice={invoice} /> : !error && <p class="quiet">Loading</p>}
    </Section>
  );
}

interface CloseMonthProps {
  readonly invoice: InvoiceAnswer;
  readonly onClose: () => void;
}

function CloseMonth({
  invoice: { tenant, month, total_usd: total, uncharged_requests },
  onClose,
}: CloseMonthProps) {
  const close = async () => {
    await write('POST', `${tenantPath(tenant)}/invoice/close`, { body: { month } });
    toast(`${month} of ${tenant} is closed.`);
  };
  return (
    <Confirm
      title={`Close ${month} of ${tenant}?`}
      yes="Close for good"
      isDanger
      act={close}
      onClose={onClose}
    >
      <p>
        Its invoice is then <strong>{exactDollarsOf(total)}</strong>, whatever happens to the sums later. This
        cannot be undone: what is wrong can only be adjusted.
      </p>
      {uncharged_requests > 0 && (
        <p>{counted(uncharged_requests, 'request')} without a known charge: not included.</p>
      )}
    </Confirm>
  );
}

function Lines({ invoice }: { readonly invoice: InvoiceAnswer }) {
  const { status, closed_at: closedAt, closed_by: closedBy, adjustments, lines } = invoice;
  return (
    <>
      <p class="hint">
        {status === 'draft'
          ? 'A draft: the month is not closed, and its amounts may still change.'
          : `Closed ${closedAt === null ? '' : exactMoment(closedAt)} by ${closedBy}.`}
        {!invoice.is_unchanged && ' The daily totals have changed since; the invoice has not.'}
        {invoice.uncharged_requests > 0 &&
          ` ${counted(invoice.uncharged_requests, 'request')} without a known charge: not included.`}
        {invoice.estimated_requests > 0 &&
          ` Of the charges, ${exactDollarsOf(invoice.estimated_usd)} are estimates (${counted(invoice.estimated_requests, 'request')}).`}
      </p>
      <table class="invoice">
        <tbody>
          {lines.map(({ model, requests, charge_usd: charge }) => (
            <Line key={model} what={`${model}, ${counted(requests, 'request')}`} usd={charge} />
          ))}
          <Line what="Charges" usd={invoice.charges_usd} />
          {adjustments.map(({ id, reason, by, amount_usd: amount }) => (
            <Line key={id} what={`${reason} (${by})`} usd={amount} />
          ))}
          <Line what="Total" usd={invoice.total_usd} />
        </tbody>
      </table>
    </>
  );
}

const Line = ({ what, usd }: { readonly what: string; readonly usd: string }) => (
  <tr>
    <th scope="row">{what}</th>
    <td class="number">{exactDollarsOf(usd)}</td>
  </tr>
);
