/** Which guardrails of its tenant apply to a key, beside those for all requests. */
import type { GuardrailsListAnswer } from '../../../lib/admin/guardrails/schema.ts';
import { useRead } from '../../api/use-read.ts';
import { ComboField } from '../../components/forms/fields.tsx';

export function GuardrailsField({ tenant }: { readonly tenant: string }) {
  const path = tenant === '' ? null : `/tenants/${encodeURIComponent(tenant)}/guardrails`;
  const { data } = useRead<GuardrailsListAnswer>(path);
  const options = data?.data.map(({ id, always }) => ({
    value: id,
    label: always ? `${id} · for all requests already` : id,
  }));
  return (
    <ComboField
      name="guardrails"
      label="Guardrails"
      hint="Those of the tenant that look at the requests of this key, too."
      options={options ?? []}
      placeholder={data?.data.length === 0 ? 'the tenant has none' : 'only those for all requests'}
    />
  );
}
