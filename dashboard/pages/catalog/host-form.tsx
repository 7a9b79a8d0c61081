/** The form of a host: where it is, how calls are signed, and what it serves. */
import type { HostAnswer } from '../../../lib/admin/catalog/schema.ts';
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/forms/fields.tsx';
import { checked } from '../form-values.ts';
import { hostRow, hostValues, served, titleOf } from './host-values.ts';
import { type EditProps, StoredForm } from './stored.tsx';

export const hostPath = (id: string) => `/hosts/${encodeURIComponent(id)}`;

export function HostForm({ shown, onClose }: EditProps<HostAnswer>) {
  return (
    <StoredForm
      title={shown ? `Host ${shown.id}` : 'New host'}
      shown={shown}
      now={hostValues(shown?.row ?? {})}
      titleOf={titleOf}
      toCall={(values, opened) => {
        const row = hostRow(values, { row: opened.shown?.row ?? {}, values: opened.values });
        return { path: hostPath(shown?.id ?? String(row.name)), body: { row } };
      }}
      onClose={onClose}
    >
      {!shown && (
        <TextField
          name="row.name"
          label="Name"
          mono
          required
          hint="Of the provider in rows of models: in lower case, with single dashes."
        />
      )}
      <TextField
        name="row.baseUrl"
        label="Base URL"
        mono
        required
        hint="With the version, such as https://api.example.com/v1. http:// only in a private network."
      />
      <SelectField
        name="row.needsKey"
        label="Signed with"
        required
        options={[
          { value: 'yes', label: 'A bearer API key, which is stored under Providers' },
          { value: 'no', label: 'Nothing, or the key if there is one' },
        ]}
      />
      <fieldset>
        <legend>OpenAI's chat completions, and</legend>
        <div class="fields">
          {served.map(({ member, title }) => (
            <CheckField key={member} name={`row.${member}`} label={title} value={checked} />
          ))}
        </div>
      </fieldset>
      <RestField hint="What parameters it takes, and its dialect." />
    </StoredForm>
  );
}

export const RestField = ({ hint }: { readonly hint: string }) => (
  <TextAreaField name="row" label={titleOf('row')} rows={8} hint={`As JSON. ${hint}`} required />
);
