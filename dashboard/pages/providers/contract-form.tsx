/** What a provider keeps of what it is sent, and the form in which an operator says what the contract with it is. */
import type { ProviderAnswer, ProvidersDataAnswer } from '../../../lib/admin/providers/schema.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { ComboField, NumberField, SelectField } from '../../components/forms/fields.tsx';
import { FormBox, useForm } from '../../components/forms/form.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { contractFields, featureWords, proposedFeatures } from '../contract.ts';
import { inputOf, valuesOf } from '../form-values.ts';

export const DataSection = ({ provider: { id, data } }: { readonly provider: ProviderAnswer }) => (
  <Section title="What it keeps">
    <Definitions
      items={[
        ['Content', daysText(data.retention_days)],
        ['Flagged content', daysText(data.flagged_days)],
        ['Trains on it', data.trains === null ? 'unknown' : data.trains ? 'yes' : 'no'],
        ['Zero retention with', featureWords(data.zdr_features).join(', ') || 'unknown'],
        ['Known by', data.written_by === 'operator' ? 'your contract, else its document' : 'its document'],
        ['Document', data.document === null ? undefined : `${data.document}, read ${data.checked}`],
      ]}
    />
    <ContractForm id={id} contract={data.contract} />
  </Section>
);

const daysText = (days: number | null): string => {
  if (days === null) return 'unknown';
  return days === 0 ? 'not kept' : `kept ${days} days`;
};

function ContractForm({ id, contract }: { readonly id: string } & Pick<ProviderAnswer['data'], 'contract'>) {
  const form = useForm(valuesOf(contractFields, contract ?? {}), async (values) => {
    const body = inputOf(contractFields, values);
    const path = `/providers/${encodeURIComponent(id)}/data`;
    const data = await write<ProvidersDataAnswer>('PUT', path, { body });
    const whose = data.written_by === 'operator' ? 'you say' : 'it documents';
    toast(`What it keeps is known as ${whose}. It holds within ten seconds.`);
  });
  return (
    <FormBox form={form}>
      <p class="hint">What you have agreed with it. Where nothing is said, its document holds.</p>
      <NumberField name="retention_days" label="Days that content is kept" hint="0: not at all." />
      <NumberField name="flagged_days" label="Days that flagged content is kept" hint="0: not at all." />
      <SelectField
        name="trains"
        label="Trains on it"
        options={[
          { value: '', label: 'as it documents' },
          { value: 'no', label: 'no' },
          { value: 'yes', label: 'yes' },
        ]}
      />
      <ComboField
        name="zdr_features"
        label="Zero retention also with"
        hint="web_search, types of tools of the provider, store; or none."
        options={proposedFeatures}
        placeholder="as it documents"
        isFree
      />
      <Button kind="main" type="submit" isBusy={form.isBusy}>
        Store the contract
      </Button>
    </FormBox>
  );
}
