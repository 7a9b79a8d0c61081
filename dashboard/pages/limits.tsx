/** Limits and permissions of keys and tenants: in a form, and how much of a limit is used. */

import type { KeyAnswer } from '../../lib/admin/keys/schema.ts';
import type { ModelsListAnswer } from '../../lib/admin/models/schema.ts';
import { useRead } from '../api/use-read.ts';
import { BudgetBar } from '../charts/small.tsx';
import { CheckField, ComboField, NumberField } from '../components/forms/fields.tsx';
import { dollarsOf, exactDollarsOf, limitDollars } from '../format/money.ts';
import { exactMoment } from '../format/times.ts';
import { proposedCache } from './cache-words.ts';
import { proposedPolicies } from './data-policy.ts';
import { checked, keyedOperations, limitRows, ownKeysTitle } from './form-values.ts';

interface LimitFieldsProps {
  readonly legend: string;
  /** The name of the API's parameter. */
  readonly group: 'limits' | 'user_limits';
  readonly kind: 'budgets' | 'rates';
}

export const LimitFields = ({ legend, group, kind }: LimitFieldsProps) => (
  <fieldset class="form">
    <legend>{legend}</legend>
    <div class="fields">
      {limitRows
        .filter(({ isMoney }) => isMoney === (kind === 'budgets'))
        .map(({ field, title, isMoney }) => (
          <NumberField
            key={field}
            name={`${group}.${field}`}
            label={title}
            placeholder="none"
            unit={isMoney ? '$' : undefined}
          />
        ))}
    </div>
    {kind === 'budgets' && (
      <>
        <p class="hint">The budget in all never starts again.</p>
        <CheckField name={`${group}.include_own_keys`} label={ownKeysTitle} value={checked} />
      </>
    )}
  </fieldset>
);

/** `hint`: what holds where nothing is chosen. */
export function PermissionFields({ hint }: { readonly hint: string }) {
  const { data } = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const owners = [...new Set(data?.data.map(({ owner }) => owner))].map((owner) => ({
    value: `${owner}/*`,
    label: `${owner}/* · all of ${owner}`,
  }));
  const models = data?.data.map(({ id }) => ({ value: id })) ?? [];
  return (
    <>
      <ComboField
        name="models"
        label="Models"
        hint={hint}
        options={[...owners, ...models]}
        placeholder="all"
        isFree
      />
      <ComboField
        name="operations"
        label="Operations"
        hint={hint}
        options={keyedOperations.map((value) => ({ value }))}
        placeholder="all"
      />
      <ComboField
        name="data_policy"
        label="Data policy"
        hint="in: a region or region group; only, not: a provider."
        options={proposedPolicies}
        placeholder="none"
        isFree
      />
    </>
  );
}

export const CacheField = () => (
  <ComboField
    name="cache"
    label="Cached answers"
    hint="Whether answers are given again to equal requests, and how long."
    options={proposedCache}
    placeholder="where a request asks"
    isFree
  />
);

interface LimitUsesProps {
  readonly use: KeyAnswer['use'];
  /** What holds where there is no limit. */
  readonly empty: string;
}

export const LimitUses = ({ use, empty }: LimitUsesProps) =>
  use.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <div class="stack">
      {use.map((one) => (
        <LimitUse key={one.limit} {...one} />
      ))}
    </div>
  );

function LimitUse({ limit, set, used, share, resets_at: end }: KeyAnswer['use'][number]) {
  const row = limitRows.find(({ field }) => field === limit);
  const title = row?.title ?? (limit === 'credit_usd' ? 'Credit used' : limit);
  const isMoney = row?.isMoney !== false;
  const shown = (amount: string | number, inWords: (text: string) => string) =>
    isMoney ? inWords(String(amount)) : Number(amount).toLocaleString('en');
  const text = `${shown(used, dollarsOf)} of ${shown(set, limitDollars)}`;
  const exact = `${exactDollarsOf(String(used))} of ${exactDollarsOf(String(set))}`;
  return (
    <div class="use" title={isMoney ? exact : undefined}>
      <span>{title}</span>
      <span class="number">{text}</span>
      <BudgetBar label={title} used={share} limit={1} text={text} passed={null} />
      {end !== null && <span class="hint">starts again {exactMoment(end)}</span>}
    </div>
  );
}
