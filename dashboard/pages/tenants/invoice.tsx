/** What a tenant owes for a month: its charges by model, the adjustments, and the total. Amounts are exact. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { InvoiceAnswer } from '../../../lib/admin/tenants/schema.ts';
import { useRead } from '../../api/use-read.ts';
import { ErrorState } from '../../components/states.tsx';
import { Section } from '../../components/surfaces.tsx';
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
  return (
    <Section title="Invoice" actions={actions}>
      <label>
        Month{' '}
        <select class="input" value={month} onChange={({ currentTarget }) => setMonth(currentTarget.value)}>
          {months.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {error && <ErrorState error={error} retry={reload} />}
      {invoice ? <Lines invoice={invoice} /> : !error && <p class="quiet">Loading</p>}
    </Section>
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
          ` ${invoice.uncharged_requests} requests have no known charge and are not included.`}
        {invoice.estimated_requests > 0 &&
          ` Of the charges, $${invoice.estimated_usd} are estimates (${invoice.estimated_requests} requests).`}
      </p>
      <table class="invoice">
        <tbody>
          {lines.map(({ model, requests, charge_usd: charge }) => (
            <Line key={model} what={`${model}, ${requests} requests`} usd={charge} />
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
    <td class="number">{usd.startsWith('-') ? `-$${usd.slice(1)}` : `$${usd}`}</td>
  </tr>
);
