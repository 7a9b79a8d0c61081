/** `PUT /admin/v1/tenants/{tenant}/pricing`: what a tenant is charged from a time on. Earlier terms stay, for charges of that time. */
import { markupPercent, type Pricing, type PricingTerms, termsAt } from '../../core/accounting/pricing.ts';
import type { User } from '../../core/admin/user.ts';
import type { Price } from '../../core/catalog/price.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { isModelPattern } from '../../core/tenancy.ts';
import { readPrice } from '../../stores/catalog/read-price.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMatch } from '../etag.ts';
import { refusalOf, tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { maxFixedPrices, maxTerms, type PricingChangeInput, pricingChangeInput } from './pricing-schema.ts';
import { type PricingChangeAnswer, tenantPath } from './schema.ts';
import { shownTerms, tenantRow } from './tenant-row.ts';

export const changePricingEndpoint = (parts: SubjectParts) =>
  endpointOf(parts, tenantPath, pricingChangeInput, changePricing);

export async function changePricing(
  parts: SubjectParts,
  user: User,
  { tenant: name, ...input }: PricingChangeInput & { readonly tenant: string },
  ifMatch?: string,
): Promise<PricingChangeAnswer> {
  const { from = Math.floor(parts.now() / 1000), markup_percent: percent, fixed_prices: prices = {} } = input;
  const { own_key_fee_percent: fee } = input;
  if (percent === undefined && fee === undefined && Object.keys(prices).length === 0) throw nothingGiven();
  requireModels(Object.keys(prices));
  const tenant = await parts.tenantEdits.find(name);
  if (!tenant) throw tenantNotFound(name);
  requireMatch(ifMatch, tenantRow(tenant).etag, `Tenant ${name}`);
  const { pricing = [], pricingVersion } = tenant;
  const change = {
    markup: percent === undefined ? undefined : readMarkup(percent),
    fee: fee === undefined ? undefined : readMarkup(fee),
    prices: readAll(prices),
  };
  const { before, after, changed } = withTerms(pricing, from, change);
  if (!(await parts.tenants.replacePricing(name, pricingVersion, changed))) throw changedMeanwhile(name);
  await recordChange(parts, user, 'tenants.pricing', {
    tenant: name,
    target: name,
    before: before && shown(before),
    after: shown(after),
  });
  return { object: 'pricing', tenant: name, ...shownTerms(after) };
}

interface TermsChange {
  /** Undefined: as before. */
  readonly markup: number | undefined;
  readonly fee: number | undefined;
  /** Null: no fixed price any more. */
  readonly prices: Readonly<Record<string, Price | null>>;
}

/** Terms of the same time are replaced; new ones continue those before them. */
function withTerms(pricing: Pricing, from: number, { markup, fee, prices }: TermsChange) {
  const before = termsAt(pricing, from);
  const fixed = Object.entries({ ...before?.models, ...prices }).filter(([, price]) => price !== null);
  const ownKeyFee = fee ?? before?.ownKeyFee ?? 0;
  const after: PricingTerms = {
    from,
    markup: markup ?? before?.markup ?? 0,
    ...(ownKeyFee > 0 && { ownKeyFee }),
    ...(fixed.length > 0 && { models: Object.fromEntries(fixed) as Readonly<Record<string, Price>> }),
  };
  const others = pricing.filter((one) => one.from !== from);
  const changed = [...others, after].toSorted((one, other) => one.from - other.from);
  const models = changed.reduce((sum, one) => sum + Object.keys(one.models ?? {}).length, 0);
  if (changed.length > maxTerms) throw refusalOf('from', `A tenant has at most ${maxTerms} dated terms.`);
  if (models > maxFixedPrices)
    throw refusalOf('fixed_prices', `The terms of a tenant have at most ${maxFixedPrices} fixed prices.`);
  return { before, after, changed };
}

/** In hundredths of a percent. */
function readMarkup(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const markup = Number(whole + fraction.padEnd(2, '0')) * (text.startsWith('-') ? -1 : 1);
  if (markup >= -10_000) return markup;
  throw invalid('markup_percent', 'must be at least -100');
}

const readAll = (prices: NonNullable<PricingChangeInput['fixed_prices']>) =>
  Object.fromEntries(Object.entries(prices).map(([model, row]) => [model, row ? readPrice(row) : null]));

function requireModels(models: readonly string[]): void {
  if (models.every((model) => isModelPattern(model) && !model.endsWith('*'))) return;
  throw invalid('fixed_prices', 'must have ids of models (owner/model) as names');
}

/** For the audit log: a field for each model. */
const shown = ({ from, markup, ownKeyFee = 0, models = {} }: PricingTerms) => ({
  from,
  markup_percent: markupPercent(markup),
  own_key_fee_percent: markupPercent(ownKeyFee),
  fixed_prices: models,
});

const nothingGiven = () =>
  refusalOf('markup_percent', "Give 'markup_percent', 'own_key_fee_percent' or 'fixed_prices'.");

const changedMeanwhile = (name: string) =>
  new GatewayError(
    'conflict',
    `The terms of tenant ${name} were changed at the same time. Look at them and try again.`,
  );
