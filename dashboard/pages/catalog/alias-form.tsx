/** The form of an alias: its targets in their order, each with a weight and with conditions. */
import type { AliasAnswer } from '../../../lib/admin/catalog/schema.ts';
import type { ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import { useRead } from '../../api/use-read.ts';
import { EntriesField } from '../../components/forms/entries-field.tsx';
import { CheckField, NumberField, TextField } from '../../components/forms/fields.tsx';
import { checked } from '../form-values.ts';
import { aliasValues, blankTarget, maxTargets, targetsIn } from './alias-values.ts';
import { type EditProps, StoredForm } from './stored.tsx';

export const aliasPath = (id: string) => `/aliases/${encodeURIComponent(id)}`;

export function AliasForm({ shown, onClose }: EditProps<AliasAnswer>) {
  const { data } = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const models = data?.data.map(({ id }) => id) ?? [];
  return (
    <StoredForm
      title={shown ? `Alias ${shown.id}` : 'New alias'}
      shown={shown}
      now={aliasValues(shown)}
      titleOf={(name) => name.replaceAll('_', ' ')}
      toCall={(values) => ({
        path: aliasPath(String(values.alias).trim()),
        body: { targets: targetsIn(values) },
      })}
      onClose={onClose}
    >
      {!shown && (
        <TextField name="alias" label="Name" mono required hint="What callers write as the model." />
      )}
      <EntriesField name="targets" legend="Stands for" entry="target" blank={blankTarget} max={maxTargets}>
        {(prefix) => (
          <>
            <TextField name={`${prefix}.model`} label="Model" mono required options={models} />
            <div class="fields">
              <NumberField name={`${prefix}.weight`} label="Weight" />
              <NumberField name={`${prefix}.input_tokens_above`} label="Above input tokens" />
              <CheckField name={`${prefix}.tools`} label="Only with tools" value={checked} />
              <CheckField name={`${prefix}.images`} label="Only with images" value={checked} />
            </div>
          </>
        )}
      </EntriesField>
      <p class="hint">
        Each target is chosen as often as its weight says, and a conversation keeps its choice. Targets whose
        conditions hold come before those without conditions, of which there must be one.
      </p>
    </StoredForm>
  );
}
