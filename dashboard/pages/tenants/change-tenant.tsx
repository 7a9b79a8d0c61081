/** The dialog that changes limits, permissions and alerts of a tenant. */
import { useState } from 'preact/hooks';
import type { TenantAnswer, TenantsChangeAnswer } from '../../../lib/admin/tenants/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { ChangedMeanwhile } from '../../components/forms/changed-meanwhile.tsx';
import { NumberField, SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
import { useForm } from '../../components/forms/use-form.ts';
import { toast } from '../../components/toast.tsx';
import { LimitFields } from '../limit-fields.tsx';
import { PermissionFields } from '../permission-fields.tsx';
import { inputOf, titleOf, valuesOf } from './tenant-values.ts';

interface ChangeTenantProps {
  readonly shown: TenantAnswer;
  /** The secret of a webhook that was set. */
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

export function ChangeTenant({ shown: tenant, onSecret, onClose }: ChangeTenantProps) {
  // What the user saw: a change is made for this state only.
  const [opened, setOpened] = useState({ values: valuesOf(tenant), etag: tenant.etag });
  const form = useForm(opened.values, async (values) => {
    const body = inputOf(values, opened.values);
    if (Object.keys(body).length > 0) {
      const path = `/tenants/${encodeURIComponent(tenant.id)}`;
      const sent = call<TenantsChangeAnswer>('PATCH', path, { body, ifMatch: opened.etag });
      const { data } = await sent.finally(() => refresh('/tenants'));
      toast('The tenant is changed. It holds within ten seconds.');
      if (data.webhook_secret !== undefined) onSecret(data.webhook_secret);
    }
    onClose();
  });
  return (
    <FormDialog title={`Change ${tenant.id}`} form={form} submit="Save" onClose={onClose}>
      <ChangedMeanwhile
        form={form}
        opened={opened.values}
        now={valuesOf(tenant)}
        titleOf={titleOf}
        onTaken={() => setOpened({ values: valuesOf(tenant), etag: tenant.etag })}
      />
      <LimitFields form={form} legend="Limits of the tenant" group="limits" />
      <LimitFields form={form} legend="Limits of each of its users" group="user_limits" />
      <PermissionFields form={form} hint="Empty: all." />
      <fieldset class="form">
        <legend>Alerts</legend>
        <TextField
          form={form}
          name="alerts.at"
          label="Alerts at"
          hint="Percentages of a budget, with commas. Empty: 50, 80, 100."
        />
        <TextField
          form={form}
          name="alerts.webhook_url"
          label="Webhook"
          hint="Alerts are posted there, signed with a secret that is shown once. Empty: none."
        />
      </fieldset>
      <SelectField
        form={form}
        name="on_database_failure"
        label="While limits cannot be checked"
        options={[
          { value: '', label: 'Default: refuse with credit, else admit' },
          { value: 'admit', label: 'Admit requests' },
          { value: 'refuse', label: 'Refuse requests' },
        ]}
      />
      <NumberField
        form={form}
        name="throughput"
        label="Requests a second"
        hint="For how many the database is prepared. It can be raised only."
      />
    </FormDialog>
  );
}
