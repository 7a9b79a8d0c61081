/** One provider: what it has, how to get what it lacks, and the form that stores a setting. */
import type { ProviderAnswer, ProvidersSetAnswer } from '../../../lib/admin/providers/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../components/controls.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormBox, useForm } from '../../components/forms/form.tsx';
import { Link } from '../../components/link.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Panel } from '../../components/windows.tsx';
import { Failures, Health } from '../health.tsx';
import { DataSection } from './contract-form.tsx';

interface ProviderPanelProps {
  readonly provider: ProviderAnswer;
  readonly onClose: () => void;
}

export function ProviderPanel({ provider, onClose }: ProviderPanelProps) {
  const { id, name, account, problem, models, health, key } = provider;
  return (
    <Panel title={name} onClose={onClose}>
      <Definitions
        items={[
          ['Name', <code>{id}</code>],
          ['Configured', provider.configured ? 'yes' : (problem ?? 'no')],
          ['Read from', provider.sources.join(', ')],
          ['Account', account === id ? undefined : `that of ${account}`],
          ['Models', String(models)],
          ['Health', <Health health={health} />],
        ]}
      />
      <p class="links">
        <Link to="models" with={{ search: id }}>
          Its models
        </Link>
      </p>
      <Section title="Recent failures">
        <Failures health={health} />
      </Section>
      <Section title="Settings">
        <p>
          {key.how}{' '}
          {key.url && (
            <a href={key.url} target="_blank" rel="noreferrer">
              {new URL(key.url).hostname}
            </a>
          )}
        </p>
        <Definitions
          items={provider.settings.map(({ name: setting, is_set: isSet, source, fault }) => [
            setting,
            isSet ? `set: ${source}${fault === null ? '' : `, which ${fault}`}` : null,
          ])}
        />
        {provider.settings.some(({ can_be_stored: canBe }) => canBe) && <SettingForm provider={provider} />}
      </Section>
      <DataSection provider={provider} />
    </Panel>
  );
}

/** The value is sent once, and nothing keeps it. */
function SettingForm({ provider: { id, settings } }: { readonly provider: ProviderAnswer }) {
  const names = settings.flatMap(({ name, can_be_stored: canBe }) => (canBe ? [name] : []));
  const [first = 'api-key'] = names;
  const form = useForm({ setting: first, value: '' }, async ({ setting, value }) => {
    const path = `/providers/${encodeURIComponent(id)}/settings/${encodeURIComponent(setting)}`;
    const data = await call<ProvidersSetAnswer>('PUT', path, { body: { value } });
    form.set('value', '');
    refresh('/providers');
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
