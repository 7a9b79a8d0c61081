/** The settings of a provider: stored, tested and removed. A value is sent once, and nothing keeps it. */
import { useState } from 'preact/hooks';
import type {
  ProviderAnswer,
  ProvidersRemoveAnswer,
  ProvidersSetAnswer,
  ProviderTestAnswer,
} from '../../../lib/admin/providers/schema.ts';
import { asError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormBox, useForm } from '../../components/forms/form.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { exactMoment } from '../../format/times.ts';
import { testResult } from '../test-result.ts';

interface ProviderProps {
  readonly provider: ProviderAnswer;
}

type Setting = ProviderAnswer['settings'][number];

const pathOf = ({ id }: ProviderAnswer) => `/providers/${encodeURIComponent(id)}`;

const settingPath = (provider: ProviderAnswer, setting: string) =>
  `${pathOf(provider)}/settings/${encodeURIComponent(setting)}`;

export function SettingsSection({ provider }: ProviderProps) {
  const { key, settings, configured } = provider;
  const [removed, setRemoved] = useState<Setting>();
  return (
    <Section title="Settings" actions={configured && <TestButton provider={provider} />}>
      <p>
        {key.how}{' '}
        {key.url && (
          <a href={key.url} target="_blank" rel="noreferrer">
            {new URL(key.url).hostname}
          </a>
        )}
      </p>
      <ul class="entries stack">
        {settings.map((setting) => (
          <SettingEntry key={setting.name} setting={setting} onRemove={() => setRemoved(setting)} />
        ))}
      </ul>
      <p class="links">
        <Link to="audit" with={{ action: 'providers.set' }}>
          Who stored settings
        </Link>
      </p>
      {settings.some(({ can_be_stored: canBe }) => canBe) && <SettingForm provider={provider} />}
      {removed && (
        <RemoveSetting provider={provider} setting={removed.name} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}

function TestButton({ provider }: ProviderProps) {
  const [result, setResult] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    const answer = call<ProviderTestAnswer>('POST', `${pathOf(provider)}/test`);
    setResult(await answer.then(testResult, (thrown) => asError(thrown).message));
    setBusy(false);
  };
  return (
    <>
      <span class="hint" role="status">
        {result}
      </span>
      <Button size="small" isBusy={isBusy} onClick={test}>
        Test
      </Button>
    </>
  );
}

interface SettingEntryProps {
  readonly setting: Setting;
  readonly onRemove: () => void;
}

function SettingEntry({ setting, onRemove }: SettingEntryProps) {
  const { name, is_set: isSet, source, fault, stored_at: storedAt, can_be_stored: canBe } = setting;
  return (
    <li>
      {name}
      <span class="hint">
        {isSet ? `set: ${source}${fault === null ? '' : `, which ${fault}`}` : 'not set'}
        {storedAt !== null && `; stored ${exactMoment(storedAt)}`}
      </span>
      {isSet && canBe && (
        <Button size="small" kind="danger" onClick={onRemove}>
          Remove
        </Button>
      )}
    </li>
  );
}

interface RemoveSettingProps extends ProviderProps {
  readonly setting: string;
  readonly onClose: () => void;
}

function RemoveSetting({ provider, setting, onClose }: RemoveSettingProps) {
  const remove = async () => {
    const { effect } = await write<ProvidersRemoveAnswer>('DELETE', settingPath(provider, setting));
    toast(`Removed. It takes effect ${effect}.`);
  };
  return (
    <Confirm
      title={`Remove ${setting} of ${provider.account}?`}
      yes="Remove"
      isDanger
      act={remove}
      onClose={onClose}
    >
      <p>
        Requests for its {provider.models} models fail, or go to other providers that serve them. A key stays
        valid at the provider: revoke it there.
      </p>
    </Confirm>
  );
}

function SettingForm({ provider }: ProviderProps) {
  const names = provider.settings.flatMap(({ name, can_be_stored: canBe }) => (canBe ? [name] : []));
  const [first = 'api-key'] = names;
  const form = useForm({ setting: first, value: '' }, async ({ setting, value }) => {
    const data = await write<ProvidersSetAnswer>('PUT', settingPath(provider, setting), { body: { value } });
    form.set('value', '');
    toast(`Stored as ${data.location}. It takes effect ${data.effect}.`);
  });
  return (
    <FormBox form={form}>
      {names.length > 1 && (
        <SelectField name="setting" label="Setting" required options={names.map((value) => ({ value }))} />
      )}
      <TextField
        name="value"
        label={names.length > 1 ? 'Value' : 'API key'}
        type="password"
        mono
        required
        hint="It replaces the stored value and cannot be read back."
      />
      <Button kind="main" type="submit" isBusy={form.isBusy}>
        Store
      </Button>
    </FormBox>
  );
}
