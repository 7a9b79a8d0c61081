/**
 * Rows in the columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification: what a tenant is charged, one row for each
 * request and each adjustment. All mandatory columns are there, and those conditional and recommended ones that apply.
 *
 * Source: FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, tag v1.2, specification/columns (names, levels and allowed values).
 */
import type { Adjustment } from '../../core/accounting/journal.ts';
import { type LedgerRecord, usageOf } from '../../core/accounting/ledger.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import { totalTokens } from '../../core/generation/usage.ts';
import { chargedAttemptRow, priceFrom } from './attempt-rows.ts';

export const focusColumns = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceId',
  'InvoiceIssuerName',
  'ListCost',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'RegionId',
  'RegionName',
  'ServiceCategory',
  'ServiceName',
  'ServiceSubcategory',
  'SkuId',
  'SkuPriceId',
  'SubAccountId',
  'SubAccountName',
  'Tags',
  // Columns of our own begin with x_, as the specification wants it.
  'x_RequestId',
  'x_Operation',
  'x_User',
  'x_Session',
  'x_ServiceTier',
  'x_PriceFrom',
  'x_Estimated',
  'x_Pricing',
  'x_Calls',
  'x_Batch',
] as const;

type FocusRow = Readonly<Partial<Record<(typeof focusColumns)[number], unknown>>>;

export interface FocusContext {
  /** Who sends the invoice. */
  readonly issuer: string;
  /** Whether a month of the tenant is closed, so that a later row corrects an invoice. */
  readonly isClosed: (month: string) => boolean;
}

/** Whole seconds, as the specification wants it. */
const timeOf = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

const secondMs = 1_000;

function sharedFields(
  { tenant, amount, month }: { readonly tenant: string; readonly amount: number; readonly month: string },
  { issuer, isClosed }: FocusContext,
): FocusRow {
  const start = new Date(Date.parse(month));
  const billed = formatDollars(amount);
  return {
    // Without unit prices, all costs of a charge are the billed one.
    BilledCost: billed,
    ContractedCost: billed,
    EffectiveCost: billed,
    ListCost: billed,
    BillingAccountId: tenant,
    BillingAccountName: tenant,
    BillingCurrency: 'USD',
    BillingPeriodStart: timeOf(start.getTime()),
    BillingPeriodEnd: timeOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)),
    InvoiceId: isClosed(month) ? `${tenant}-${month}` : null,
    InvoiceIssuerName: issuer,
    ProviderName: issuer,
    ServiceCategory: 'AI and Machine Learning',
    ServiceSubcategory: 'Generative AI',
  };
}

/** Undefined without a known charge: a cost must not be null, and would not be 0. */
export function focusRow(record: LedgerRecord, context: FocusContext): FocusRow | undefined {
  const { tenant, at, totalMs, charge, model, key, region } = record;
  if (charge === null) return undefined;
  const usage = usageOf(record);
  const start = Math.floor(at / secondMs) * secondMs;
  const last = record.attempts.at(-1);
  const deployment = region === 'global' ? null : region;
  return {
    ...sharedFields({ tenant, amount: charge, month: new Date(at).toISOString().slice(0, 7) }, context),
    ChargeCategory: 'Usage',
    ChargeDescription: `${record.operation} with ${model}`,
    ChargeFrequency: 'Usage-Based',
    ChargePeriodStart: timeOf(start),
    // The end is not included in the period.
    ChargePeriodEnd: timeOf(Math.max(start + secondMs, at + totalMs + secondMs - 1)),
    ConsumedQuantity: usage ? totalTokens(usage) : 0,
    ConsumedUnit: 'Tokens',
    PricingCategory: 'Standard',
    PricingQuantity: 1,
    PricingUnit: 'Requests',
    PublisherName: record.provider,
    RegionId: deployment,
    RegionName: deployment,
    ServiceName: 'Model gateway',
    SkuId: model,
    SkuPriceId: model,
    SubAccountId: key,
    SubAccountName: key,
    Tags: record.tags ?? null,
    x_RequestId: record.requestId,
    x_Operation: record.operation,
    x_User: record.user ?? null,
    x_Session: record.session ?? null,
    x_ServiceTier: last?.tier ?? null,
    x_PriceFrom: last ? priceFrom(last) : null,
    x_Estimated: record.attempts.some(({ estimated }) => estimated === true),
    x_Pricing: record.pricing ?? null,
    x_Calls: record.attempts.map(chargedAttemptRow),
    x_Batch: record.batch ?? null,
  };
}

/** An adjustment of a closed month corrects an invoice. */
export function adjustmentRow(
  { tenant, month, at, amount, reason, requestId }: Adjustment,
  context: FocusContext,
): FocusRow {
  return {
    ...sharedFields({ tenant, amount, month }, context),
    ChargeCategory: 'Adjustment',
    ChargeClass: context.isClosed(month) ? 'Correction' : null,
    ChargeDescription: reason,
    ChargeFrequency: 'One-Time',
    ChargePeriodStart: timeOf(at),
    ChargePeriodEnd: timeOf(at + secondMs),
    PublisherName: context.issuer,
    ServiceName: 'Model gateway',
    x_RequestId: requestId ?? null,
  };
}
