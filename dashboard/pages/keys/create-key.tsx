/** The dialog that makes a key. */
import type { CreatedKeyAnswer, KeysCreateInput } from '../../../lib/admin/keys/schema.ts';
import type { TenantsListAnswer } from '../../../lib/admin/tenants/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import type { Session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Combobox } from '../../components/forms/combobox.tsx';
import { Field } from '../../components/forms/fields.tsx';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
import { type Form, useForm } from '../../components/forms/use-form.ts';
import { filters } from '../../state/location.ts';
import { KeyFields } from './key-fields.tsx';
import { inputOf, valuesOf } from './key-values.ts';

interface CreateKeyProps {
  readonly session: Session;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: CreatedKeyAnswer) => void;
}

export const CreateKey = (props: CreateKeyProps) => (props.isOpen ? <Creating {...props} /> : null);

function Creating({ session, onClose, onMade }: CreateKeyProps) {
  const isOperator = session.role === 'operator';
  const form = useForm(valuesOf({}, filters.value.tenant ?? session.tenant ?? ''), async (values) => {
    const body: KeysCreateInput = { ...(isOperator && { tenant: values.tenant }), ...inputOf(values) };
    const { data } = await call<CreatedKeyAnswer>('POST', '/keys', { body });
    refresh('/keys');
    onMade(data);
  });
  return (
    <FormDialog title="New key" form={form} submit="Create key" onClose={onClose}>
      {isOperator && <TenantField form={form} />}
      <KeyFields form={form} hasOwner={session.role !== 'member'} />
    </FormDialog>
  );
}

function TenantField({ form }: { readonly form: Form }) {
  const { data } = useRead<TenantsListAnswer>('/tenants', { limit: 1_000 });
  const chosen = String(form.values.tenant);
  return (
    <Field
      form={form}
      name="tenant"
      label="Tenant"
      required
      hint="Who pays, and whose limits and permissions hold, too."
    >
      {(described) => (
        <div class="chosen">
          {chosen === '' ? (
            <Combobox
              {...described}
              options={data?.data.map(({ id }) => ({ value: id })) ?? []}
              placeholder="choose one"
              isFree
              onTake={(value) => form.set('tenant', value)}
            />
          ) : (
            <Button id={described.id} onClick={() => form.set('tenant', '')} title="Choose another one">
              {chosen}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
