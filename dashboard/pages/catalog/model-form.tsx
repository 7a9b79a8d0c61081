/** The form of a model: what it can do, its prices, and who serves it. */
import type { ModelRowAnswer } from '../../../lib/admin/catalog/schema.ts';
import type { ProvidersListAnswer } from '../../../lib/admin/providers/schema.ts';
import { endpoints } from '../../../lib/core/catalog/model-endpoints.ts';
import { useRead } from '../../api/use-read.ts';
import { EntriesField } from '../../components/forms/entries-field.tsx';
import { ComboField, NumberField, SelectField, TextField } from '../../components/forms/fields.tsx';
import { problem } from '../json-text.ts';
import { blankDeployment, maxDeployments } from './deployment-values.ts';
import { RestField } from './host-form.tsx';
import { blankModel, fieldOf, modelRow, modelValues, titleOf } from './model-values.ts';
import { More, PriceFields } from './price-fields.tsx';
import type { Row } from './row-values.ts';
import { type EditProps, StoredForm } from './stored.tsx';

export function modelPath(id: string): string {
  const [owner = '', ...name] = id.split('/');
  return `/models/${encodeURIComponent(owner)}/${encodeURIComponent(name.join('/'))}`;
}

function pathOfNew(id: string): string {
  if (/^[^/]+\/./.test(id)) return modelPath(id);
  throw problem('It must have an owner and a name, as in acme/chat.', 'row.id');
}

const rowOf = (shown: ModelRowAnswer | undefined): Row =>
  shown ? (shown.row ?? {}) : blankModel(new Date().toISOString().slice(0, 10));

export function ModelForm({ shown, onClose }: EditProps<ModelRowAnswer>) {
  const row = rowOf(shown);
  return (
    <StoredForm
      title={shown ? `Model ${shown.id}` : 'New model'}
      shown={shown}
      now={modelValues(row, Date.now())}
      titleOf={titleOf}
      fieldOf={fieldOf}
      toCall={(values, opened) => {
        const changed = modelRow(values, { row: rowOf(opened.shown), values: opened.values }, Date.now());
        return {
          path: shown ? modelPath(shown.id) : pathOfNew(String(changed.id)),
          body: { row: changed },
        };
      }}
      onClose={onClose}
    >
      {!shown && (
        <TextField name="row.id" label="Id" mono required hint="Its owner and its name: acme/chat." />
      )}
      <SelectField name="row.status" label="Status" required options={statuses} />
      <TextField
        name="row.replacement"
        label="Replacement"
        mono
        hint="The model that callers of a deprecated or removed one are told to use."
      />
      <Deployments />
      <Prices isNew={!shown} />
      <Abilities />
      <RestField hint="Traits such as its reasoning, time limits, other names and sources." />
    </StoredForm>
  );
}

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'deprecated', label: 'Deprecated: served, with a notice' },
  { value: 'inactive', label: 'Inactive: not served' },
  { value: 'retired', label: 'Retired: not served any more' },
];

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value }));

const Abilities = () => (
  <>
    <TextField name="row.created" label="Released" type="date" required />
    <ComboField
      name="row.endpoints"
      label="Operations"
      options={optionsOf(endpoints)}
      placeholder="none"
      required
    />
    <ComboField
      name="row.modalities.input"
      label="Takes"
      options={optionsOf(['text', 'image', 'audio', 'video', 'pdf'])}
      placeholder="none"
      isFree
      required
    />
    <ComboField
      name="row.modalities.output"
      label="Gives"
      options={optionsOf(['text', 'image', 'audio', 'embedding', 'moderation', 'rerank'])}
      placeholder="none"
      isFree
      required
    />
    <fieldset>
      <legend>Tokens</legend>
      <div class="fields">
        <NumberField name="row.limits.context" label="Context" placeholder="unknown" />
        <NumberField name="row.limits.input" label="Longest input" placeholder="as context" />
        <NumberField name="row.limits.output" label="Longest output" placeholder="unknown" />
      </div>
    </fieldset>
  </>
);

const Prices = ({ isNew }: { readonly isNew: boolean }) => (
  <fieldset class="form">
    <legend>Price in US dollars, for a million tokens</legend>
    <PriceFields prefix="row.price" />
    {!isNew && (
      <TextField
        name="from"
        label="Changed prices apply from"
        type="date"
        hint="Also those of deployments. A day of UTC. Empty: in two minutes. What is billed already stays as it is."
      />
    )}
  </fieldset>
);

function Deployments() {
  const { data } = useRead<ProvidersListAnswer>('/providers');
  const providers = data?.data.map(({ id }) => id) ?? [];
  return (
    <EntriesField
      name="row.deployments"
      legend="Served by, the preferred first"
      entry="deployment"
      blank={blankDeployment}
      max={maxDeployments}
    >
      {(prefix) => (
        <>
          <div class="fields">
            <TextField name={`${prefix}.provider`} label="Provider" mono required options={providers} />
            <TextField name={`${prefix}.region`} label="Region" mono required />
          </div>
          <TextField name={`${prefix}.upstreamId`} label="Its id there" mono required />
          <More title="A price of its own" prefix={`${prefix}.price`}>
            <PriceFields prefix={`${prefix}.price`} />
            <p class="hint">All empty: the price of the model.</p>
          </More>
        </>
      )}
    </EntriesField>
  );
}
