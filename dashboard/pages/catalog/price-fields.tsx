/** The fields of a price: its usual amounts, and the rest where there is any. */
import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { NumberField, TextAreaField } from '../../components/forms/fields.tsx';
import { FormContext } from '../../components/forms/form.tsx';
import { amounts, partsTitle } from './price-values.ts';

/** Those that nearly every model has. */
const usual = amounts.slice(0, 4);
const others = amounts.slice(4);

interface PriceProps {
  /** The beginning of the names of its fields. */
  readonly prefix: string;
}

export const PriceFields = ({ prefix }: PriceProps) => (
  <>
    <Amounts of={usual} prefix={prefix} />
    <More title="Other amounts, tiers and hours" prefix={prefix} but={usual.map(([name]) => name)}>
      <Amounts of={others} prefix={prefix} />
      <TextAreaField
        name={`${prefix}.parts`}
        label={partsTitle}
        rows={6}
        hint={
          'As JSON: {"tiers": [{"aboveInputTokens": 200000, "input": 4, "output": 18}]}. So serviceTiers, hours, hostedTools, minAudioMs, freeAllowance and statedCost.'
        }
      />
    </More>
  </>
);

const Amounts = ({ of, prefix }: PriceProps & { readonly of: readonly (readonly [string, string])[] }) => (
  <div class="fields">
    {of.map(([name, title]) => (
      <NumberField key={name} name={`${prefix}.${name}`} label={title} />
    ))}
  </div>
);

interface MoreProps extends PriceProps {
  readonly title: string;
  /** Members with fields outside. */
  readonly but?: readonly string[];
  readonly children: ComponentChildren;
}

/** Open where one of its fields has a value, or an error. Its fields are made only then: a model may have many deployments. */
export function More({ title, prefix, but = [], children }: MoreProps) {
  const { values, errors } = useContext(FormContext);
  const isNeeded = [...Object.entries(values), ...Object.entries(errors)].some(
    ([name, text]) =>
      text !== '' && name.startsWith(`${prefix}.`) && !but.includes(name.slice(prefix.length + 1)),
  );
  const [isOpen, setOpen] = useState(isNeeded);
  const isShown = isOpen || isNeeded;
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isShown && <div class="form">{children}</div>}
    </details>
  );
}
