/** The dialog that makes a tenant. */
import type { TenantRow } from '../../../lib/admin/tenants/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
import { useForm } from '../../components/forms/use-form.ts';
import { LimitFields } from '../limit-fields.tsx';
import { PermissionFields } from '../permission-fields.tsx';
import { inputOf, valuesOf } from './tenant-values.ts';

interface CreateTenantProps {
  readonly onClose: () => void;
  readonly onMade: (tenant: TenantRow) => void;
}

export function CreateTenant({ onClose, onMade }: CreateTenantProps) {
  const empty = valuesOf({});
  const form = useForm({ ...empty, tenant: '' }, async ({ tenant, ...values }) => {
    const { limits, models, operations } = inputOf({ ...empty, ...values }, empty);
    const body = { tenant: tenant.trim(), limits, models, operations };
    const { data } = await call<TenantRow>('POST', '/tenants', { body });
    refresh('/tenants');
    onMade(data);
  });
  return (
    <FormDialog title="New tenant" form={form} submit="Create tenant" onClose={onClose}>
      <TextField
        form={form}
        name="tenant"
        label="Name"
        required
        hint="It stays. Letters, digits, dots, dashes and underscores, such as acme."
      />
      <LimitFields form={form} legend="Limits of all its keys together" group="limits" />
      <PermissionFields form={form} hint="Empty: all." />
    </FormDialog>
  );
}
