/** The keys of a tenant's own for providers: added, tested, moved up and removed. What is typed is sent once, and nothing keeps it. */
import { useState } from 'preact/hooks';
import type {
  CredentialRow,
  CredentialsListAnswer,
  CredentialTestAnswer,
} from '../../../lib/admin/credentials/schema.ts';
import { typedSettings } from '../../../lib/admin/credentials/typed-settings.ts';
import { asError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormDialog, useForm } from '../../components/forms/form.tsx';
import { NoEntries } from '../../components/states.tsx';
import { Badge, Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { exactMoment } from '../../format/times.ts';
import { testResult } from '../test-result.ts';
import { tenantPath } from './tenant-dialogs.tsx';

export function OwnKeys({ tenant }: { readonly tenant: string }) {
  const path = `${tenantPath(tenant)}/credentials`;
  const read = useRead<CredentialsListAnswer>(path);
  const { data } = read;
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<CredentialRow>();
  const add = (
    <Button size="small" onClick={() => setAdding(true)}>
      Add a key
    </Button>
  );
  return (
    <Section title="Own keys for providers" actions={add}>
      {data && data.data.length > 0 ? (
        <ul class="entries stack">
          {data.data.map((row) => (
            <OwnKey key={row.id} row={row} path={path} onRemove={() => setRemoved(row)} />
          ))}
        </ul>
      ) : (
        <NoEntries read={read} none="Requests are sent with the accounts of the gateway." />
      )}
      {isAdding && <AddKey path={path} onClose={() => setAdding(false)} />}
      {removed && <RemoveKey row={removed} path={path} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

interface OwnKeyProps {
  readonly row: CredentialRow;
  readonly path: string;
  readonly onRemove: () => void;
}

function OwnKey({ row, path, onRemove }: OwnKeyProps) {
  const [result, setResult] = useState<string>();
  const own = `${path}/${row.id}`;
  const change = async (body: object) => {
    await write('PATCH', own, { body }).catch((thrown) => setResult(asError(thrown).message));
  };
  const test = async () => {
    const answer = call<CredentialTestAnswer>('POST', `${own}/test`, { body: {} });
    setResult(await answer.then(testResult, (thrown) => asError(thrown).message));
  };
  const isActive = row.status === 'active';
  return (
    <li>
      <Badge tone={isActive ? 'good' : 'warn'}>{row.status}</Badge> {row.provider} {row.name ?? ''}{' '}
      <code>{row.last4 === '' ? row.fingerprint : `…${row.last4}`}</code>
      <span class="hint">
        {row.fallback === 'none' ? 'alone' : 'then the accounts of the gateway'}; used{' '}
        {row.last_used_at === null ? 'never' : exactMoment(row.last_used_at)}
        {row.last_failed_at !== null && `; refused ${exactMoment(row.last_failed_at)} (${row.last_failure})`}
      </span>
      {result !== undefined && (
        <span class="hint" role="status">
          {result}
        </span>
      )}
      <span>
        <Button size="small" onClick={test}>
          Test
        </Button>
        {row.position > 0 && (
          <Button size="small" onClick={() => change({ position: row.position - 1 })}>
            Move up
          </Button>
        )}
        <Button size="small" onClick={() => change({ disabled: isActive })}>
          {isActive ? 'Disable' : 'Enable'}
        </Button>
        <Button size="small" kind="danger" onClick={onRemove}>
          Remove
        </Button>
      </span>
    </li>
  );
}

function AddKey({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const initial = { provider: 'openai', settings: '', more: '', name: '', fallback: 'none' };
  const form = useForm(initial, async ({ provider, settings: key, more, name, fallback }) => {
    const settings = typedSettings(key, more);
    const body = { provider, settings, fallback, ...(name !== '' && { name }) };
    await write('POST', path, { body });
    toast('The key is stored, and used within ten seconds.');
    onClose();
  });
  return (
    <FormDialog title="A key for a provider" form={form} submit="Add" onClose={onClose}>
      <TextField
        name="provider"
        label="Provider"
        required
        hint="As in the catalog: openai, anthropic, azure."
      />
      <TextField
        name="settings"
        label="Key"
        type="password"
        mono
        required
        hint="Or the JSON of a service account. It cannot be read back."
      />
      <TextField
        name="more"
        label="Other settings"
        mono
        hint="Of Azure resource=<name>, of Vertex project=<id>, location=<region>; separated by commas."
      />
      <TextField name="name" label="Name" />
      <SelectField
        name="fallback"
        label="When it fails"
        required
        options={[
          { value: 'none', label: 'Call nothing in its place' },
          { value: 'shared', label: 'Call the accounts of the gateway, which are charged' },
        ]}
      />
    </FormDialog>
  );
}

function RemoveKey({
  row,
  path,
  onClose,
}: Pick<OwnKeyProps, 'row' | 'path'> & { readonly onClose: () => void }) {
  const remove = async () => {
    await write('DELETE', `${path}/${row.id}`);
    toast('The key is removed.');
    onClose();
  };
  return (
    <Confirm
      title={`Remove the key for ${row.provider}?`}
      yes="Remove"
      isDanger
      act={remove}
      onClose={onClose}
    >
      <p>
        Without another key, requests are sent with the accounts of the gateway, and charged. The key itself
        stays valid at the provider.
      </p>
    </Confirm>
  );
}
