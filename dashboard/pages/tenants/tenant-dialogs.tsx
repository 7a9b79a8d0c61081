/** The dialogs that make a tenant, and change its limits, permissions and alerts. */
import type { TenantAnswer, TenantRow, TenantsChangeAnswer } from '../../../lib/admin/tenants/schema.ts';
import { write } from '../../api/write.ts';
import { NumberField, SelectField, TextField } from '../../components/forms/fields.tsx';
import { ChangedMeanwhile, FormDialog, useChange, useForm } from '../../components/forms/form.tsx';
import { toast } from '../../components/toast.tsx';
import { inputOf, newTenantFields, tenantFields, valuesOf } from '../form-values.ts';
import { CacheField, LimitFields, PermissionFields } from '../limits.tsx';

export const tenantPath = (id: string): string => `/tenants/${encodeURIComponent(id)}`;

interface CreateTenantProps {
  readonly onClose: () => void;
  readonly onMade: (tenant: TenantRow) => void;
}

export function CreateTenant({ onClose, onMade }: CreateTenantProps) {
  const initial = { ...valuesOf(newTenantFields, {}), tenant: '' };
  const form = useForm(initial, async ({ tenant, ...values }) => {
    const body = { tenant: tenant.trim(), ...inputOf(newTenantFields, values) };
    const data = await write<TenantRow>('POST', '/tenants', { body });
    onMade(data);
  });
  return (
    <FormDialog title="New tenant" form={form} submit="Create tenant" onClose={onClose}>
      <TextField
        name="tenant"
        label="Name"
        required
        hint="It stays. Letters, digits, dots, dashes and underscores, such as acme."
      />
      <LimitFields legend="Budgets of all its keys together" group="limits" kind="budgets" />
      <LimitFields legend="Rates of all its keys together" group="limits" kind="rates" />
      <PermissionFields hint="Empty: all." />
      <CacheField />
    </FormDialog>
  );
}

interface ChangeTenantProps {
  readonly shown: TenantAnswer;
  /** The secret of a webhook that was set. */
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

export function ChangeTenant({ shown: tenant, onSecret, onClose }: ChangeTenantProps) {
  const change = useChange(valuesOf(tenantFields, tenant), tenant.etag, async (values, opened) => {
    const body = inputOf(tenantFields, values, opened.values);
    if (Object.keys(body).length > 0) {
      const options = { body, ifMatch: opened.etag };
      const data = await write<TenantsChangeAnswer>('PATCH', tenantPath(tenant.id), options);
      toast('The tenant is changed. It holds within ten seconds.');
      if (data.webhook_secret !== undefined) onSecret(data.webhook_secret);
    }
    onClose();
  });
  return (
    <FormDialog title={`Change ${tenant.id}`} form={change.form} submit="Save" onClose={onClose}>
      <ChangedMeanwhile change={change} titleOf={(name) => tenantFields[name]?.title ?? name} />
      <LimitFields legend="Budgets of the tenant" group="limits" kind="budgets" />
      <LimitFields legend="Rates of the tenant" group="limits" kind="rates" />
      <LimitFields legend="Budgets of each of its users" group="user_limits" kind="budgets" />
      <LimitFields legend="Rates of each of its users" group="user_limits" kind="rates" />
      <PermissionFields hint="Empty: all." />
      <CacheField />
      <fieldset class="form">
        <legend>Alerts</legend>
        <TextField
          name="alerts.at"
          label="Alerts at"
          hint="Percentages of a budget, with commas. Empty: 50, 80, 100."
        />
        <TextField
          name="alerts.webhook_url"
          label="Webhook"
          hint="Alerts, and how background responses end, are posted there, signed with a secret that is shown once. Empty: none."
        />
      </fieldset>
      <SelectField
        name="on_database_failure"
        label="While limits cannot be checked"
        options={[
          { value: '', label: 'Default: refuse with credit, else admit' },
          { value: 'admit', label: 'Admit requests' },
          { value: 'refuse', label: 'Refuse requests' },
        ]}
      />
      <NumberField
        name="throughput"
        label="Requests a second"
        hint="For how many the database is prepared. It can be raised only."
      />
    </FormDialog>
  );
}
