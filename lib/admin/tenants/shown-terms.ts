/** What a tenant is charged from a time on, as people see it. */
import { formatDollars } from '../../core/accounting/money.ts';
import { markupPercent, type PricingTerms } from '../../core/accounting/pricing.ts';
import type { TermsAnswer } from './schema.ts';

export const shownTerms = ({ from, markup, models = {} }: PricingTerms): TermsAnswer => ({
  from,
  markup_percent: markupPercent(markup),
  fixed_prices: Object.entries(models).map(([model, { input, output }]) => ({
    model,
    input_usd: perMillion(input),
    output_usd: perMillion(output),
  })),
});

const perMillion = (nanoDollars: number) => formatDollars(Math.round(nanoDollars * 1_000_000));
