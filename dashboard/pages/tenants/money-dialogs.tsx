/** Dialogs for the money of a tenant: credit, adjustments of an invoice, and what is charged. */
import { useState } from 'preact/hooks';
import type { TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import { write } from '../../api/write.ts';
import { NumberField, TextField } from '../../components/forms/fields.tsx';
import { FormDialog, useForm } from '../../components/forms/form.tsx';
import { toast } from '../../components/toast.tsx';
import { amountOf } from '../form-values.ts';
import { tenantPath } from './tenant-dialogs.tsx';

interface MoneyProps {
  readonly shown: TenantAnswer;
  readonly onClose: () => void;
}

/** One id for each dialog: what is sent twice counts once. */
const useClientId = () => useState(() => crypto.randomUUID())[0];

const secondsOf = (day: string) => Date.parse(day) / 1_000;

export function GiveCredit({ shown: tenant, onClose }: MoneyProps) {
  const id = useClientId();
  const form = useForm({ amount_usd: '', expires_at: '', note: '' }, async (values) => {
    const body = {
      id,
      amount_usd: amountOf(values.amount_usd),
      note: values.note || null,
      expires_at: values.expires_at === '' ? null : secondsOf(values.expires_at),
    };
    await write('POST', `${tenantPath(tenant.id)}/credit`, { body });
    toast(`${tenant.id} has $${body.amount_usd} more.`);
    onClose();
  });
  return (
    <FormDialog title={`Credit for ${tenant.id}`} form={form} submit="Give credit" onClose={onClose}>
      <p>
        A tenant with credit spends no more than its credit: the first grant sets this limit, too. It cannot
        be taken back here.
      </p>
      <NumberField name="amount_usd" label="Amount" unit="$" required />
      <TextField
        name="expires_at"
        label="Expires"
        type="date"
        hint="The first day (UTC) on which what is left is lost. Empty: never."
      />
      <TextField name="note" label="Note" hint="What it is for." />
    </FormDialog>
  );
}

export function AddAdjustment({ shown: tenant, onClose }: MoneyProps) {
  const id = useClientId();
  const form = useForm({ amount_usd: '', reason: '', month: '', request: '' }, async (values) => {
    const body = {
      id,
      amount_usd: amountOf(values.amount_usd),
      reason: values.reason,
      ...(values.month !== '' && { month: values.month }),
      ...(values.request !== '' && { request: values.request }),
    };
    await write('POST', `${tenantPath(tenant.id)}/adjustments`, { body });
    toast('The adjustment is on the invoice.');
    onClose();
  });
  return (
    <FormDialog title={`Adjust the invoice of ${tenant.id}`} form={form} submit="Adjust" onClose={onClose}>
      <p>It is kept with its reason, and cannot be removed: correct it with another one.</p>
      <NumberField
        name="amount_usd"
        label="Amount"
        unit="$"
        required
        hint="Negative: in favour of the tenant."
      />
      <TextField name="reason" label="Reason" required hint="For the invoice." />
      <TextField name="month" label="Month" placeholder="2026-11" hint="Empty: this month." />
      <TextField name="request" label="Request" mono hint="The id of the request that it corrects." />
    </FormDialog>
  );
}

export function ChangePricing({ shown: tenant, onClose }: MoneyProps) {
  const last = tenant.pricing.at(-1);
  const initial = { markup_percent: last?.markup_percent ?? '0', from: '', model: '', input: '', output: '' };
  const form = useForm(initial, async ({ markup_percent, from, model, input, output }) => {
    const price = input === '' && output === '' ? null : { input: Number(input), output: Number(output) };
    const body = {
      markup_percent,
      ...(from !== '' && { from: secondsOf(from) }),
      ...(model !== '' && { fixed_prices: { [model]: price } }),
    };
    await write('PUT', `${tenantPath(tenant.id)}/pricing`, { body, ifMatch: tenant.etag });
    toast('The terms are set.');
    onClose();
  });
  return (
    <FormDialog title={`What ${tenant.id} is charged`} form={form} submit="Set terms" onClose={onClose}>
      <NumberField
        name="markup_percent"
        label="Markup on the cost, in percent"
        required
        hint="Negative: a discount."
      />
      <TextField
        name="from"
        label="From"
        type="date"
        hint="The beginning of this day (UTC). Empty: now. Earlier terms stay for what was before."
      />
      <fieldset class="form">
        <legend>A fixed price of one model</legend>
        <TextField
          name="model"
          label="Model"
          mono
          hint="It replaces the cost and the markup. Without amounts, its fixed price ends."
        />
        <div class="fields">
          <NumberField name="input" label="Input, a million tokens" unit="$" />
          <NumberField name="output" label="Output, a million tokens" unit="$" />
        </div>
      </fieldset>
    </FormDialog>
  );
}
