/** The dialogs that make a key, change, replace, disable and enable it. */
import { useContext } from 'preact/hooks';
import type { CreatedKeyAnswer, KeyAnswer, RotatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import type { TenantsListAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { Session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { Combobox } from '../../components/forms/combobox.tsx';
import { Field, SelectField, TextField } from '../../components/forms/fields.tsx';
import {
  ChangedMeanwhile,
  FormContext,
  FormDialog,
  useChange,
  useForm,
} from '../../components/forms/form.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { filters } from '../../state/location.ts';
import { inputOf, keyFields, valuesOf } from '../form-values.ts';
import { CacheField, LimitFields, PermissionFields } from '../limits.tsx';
import { GuardrailsField } from './guardrails-field.tsx';

export const keyPath = (id: string): string => `/keys/${encodeURIComponent(id)}`;

interface CreateKeyProps {
  readonly session: Session;
  readonly onClose: () => void;
  readonly onMade: (made: CreatedKeyAnswer) => void;
}

export function CreateKey({ session, onClose, onMade }: CreateKeyProps) {
  const isOperator = session.role === 'operator';
  const tenant = filters.value.tenant ?? session.tenant ?? '';
  const form = useForm({ ...valuesOf(keyFields, {}), tenant }, async ({ tenant: payer, ...values }) => {
    const body = { ...(isOperator && { tenant: payer }), ...inputOf(keyFields, values) };
    const data = await write<CreatedKeyAnswer>('POST', '/keys', { body });
    onMade(data);
  });
  return (
    <FormDialog title="New key" form={form} submit="Create key" onClose={onClose}>
      {isOperator && <TenantField />}
      <KeyFields session={session} tenant={String(form.values.tenant)} />
    </FormDialog>
  );
}

function TenantField() {
  const { data } = useRead<TenantsListAnswer>('/tenants', { limit: 1_000 });
  const { values, set } = useContext(FormContext);
  const hint = 'Who pays, and whose limits and permissions hold, too.';
  return (
    <Field name="tenant" label="Tenant" required hint={hint}>
      {(_, described) => (
        <div class="chosen">
          {values.tenant === '' ? (
            <Combobox
              {...described}
              options={data?.data.map(({ id }) => ({ value: id })) ?? []}
              placeholder="choose one"
              isFree
              onTake={(value) => set('tenant', value)}
            />
          ) : (
            <Button id={described.id} onClick={() => set('tenant', '')} title="Choose another one">
              {values.tenant}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

interface KeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
}

export function ChangeKey({ shown: key, session, onClose }: KeyProps & { readonly session: Session }) {
  const change = useChange(valuesOf(keyFields, key), key.etag, async (values, opened) => {
    const body = inputOf(keyFields, values, opened.values);
    if (Object.keys(body).length > 0) {
      await write('PATCH', keyPath(key.id), { body, ifMatch: opened.etag });
      toast('The key is changed. It holds within ten seconds.');
    }
    onClose();
  });
  return (
    <FormDialog title="Change the key" form={change.form} submit="Save" onClose={onClose}>
      <ChangedMeanwhile change={change} titleOf={(name) => keyFields[name]?.title ?? name} />
      <KeyFields session={session} tenant={key.tenant} />
    </FormDialog>
  );
}

interface KeyFieldsProps {
  readonly session: Session;
  readonly tenant: string;
}

const KeyFields = ({ session, tenant }: KeyFieldsProps) => (
  <>
    <TextField name="name" label="Name" hint="What the key is for: an application, a person, a job." />
    {session.role !== 'member' && (
      <TextField
        name="owner"
        label="Owner"
        hint="The id of the person whose key it is; that person sees it."
      />
    )}
    <TextField
      name="expires_at"
      label="Last day"
      type="date"
      hint="The key works until this day ends, in UTC. Empty: until it is disabled."
    />
    <LimitFields legend="Budgets" group="limits" kind="budgets" />
    <LimitFields legend="Rates" group="limits" kind="rates" />
    <PermissionFields hint="Empty: all that the tenant may use." />
    {session.role !== 'member' && (
      <>
        <GuardrailsField tenant={tenant} />
        <CacheField />
      </>
    )}
  </>
);

/** In seconds. */
const overlaps = [
  { value: '0', label: 'Not at all: it stops at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export function RotateKey({
  shown: key,
  onClose,
  onRotated,
}: KeyProps & { readonly onRotated: (made: RotatedKeyAnswer) => void }) {
  const form = useForm({ overlap_seconds: '86400' }, async (values) => {
    const body = { overlap_seconds: Number(values.overlap_seconds) };
    const data = await write<RotatedKeyAnswer>('POST', `${keyPath(key.id)}/rotate`, { body });
    onClose();
    onRotated(data);
  });
  return (
    <FormDialog title="Rotate the key" form={form} submit="Make the new key" onClose={onClose}>
      <p>A new key takes its place, with the same settings. Both share the limits.</p>
      <SelectField name="overlap_seconds" label="The old key still works for" required options={overlaps} />
    </FormDialog>
  );
}

export function DisableKey({ shown: key, onClose }: KeyProps) {
  const disable = async () => {
    await write('POST', `${keyPath(key.id)}/disable`, { body: {} });
    toast('The key is disabled. Within ten seconds it is refused everywhere.');
  };
  return (
    <Confirm
      title="Disable this key?"
      yes="Disable now"
      no="Keep it"
      isDanger
      act={disable}
      onClose={onClose}
    >
      <p>
        <strong>{key.name ?? key.id}</strong> is refused within ten seconds, until an administrator enables it
        again. Requests that run already end as usual. What it has used stays in usage and in the list of
        requests.
      </p>
    </Confirm>
  );
}

export function EnableKey({ shown: key, onClose }: KeyProps) {
  const enable = async () => {
    await write('POST', `${keyPath(key.id)}/enable`, { body: {}, ifMatch: key.etag });
    toast('The key is enabled. Within ten seconds it works everywhere.');
  };
  return (
    <Confirm title="Enable this key?" yes="Enable" act={enable} onClose={onClose}>
      <p>
        <strong>{key.name ?? key.id}</strong> works again within ten seconds, with the limits and permissions
        that it had. If it was disabled because it leaked, create another one instead.
      </p>
    </Confirm>
  );
}
