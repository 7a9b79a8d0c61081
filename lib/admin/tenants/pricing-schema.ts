/** The input that changes what a tenant is charged: apart, because prices have many fields and pages do not read it. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { pricesSchema } from '../../stores/catalog/price-row.ts';
import { maxModelId, seconds } from '../tenancy-schema.ts';

/** A tenant's row is read with each of its requests. */
export const maxTerms = 24;
export const maxFixedPrices = 100;

const markupProblem =
  'must be a percentage as text, of at least -100 and below 10000, with at most two decimals, such as "20" or "-5.5"';

const feeProblem = 'must be a percentage as text, from 0 to 100, with at most two decimals, such as "5"';

/** The terms that begin at a time: they continue those before them, with what is given. */
export const pricingChangeInput = z.strictObject({
  /** Absent: now. */
  from: z.optional(seconds()),
  markup_percent: z.optional(
    z.string(markupProblem).check(z.regex(/^-?\d{1,4}(\.\d{1,2})?$/, markupProblem)),
  ),
  /** Of the list price of calls with the tenant's own keys, which cost nothing otherwise. */
  own_key_fee_percent: z.optional(
    z.string(feeProblem).check(z.regex(/^\d{1,2}(\.\d{1,2})?$|^100$/, feeProblem)),
  ),
  /** By the id of a model: US dollars in the units of the catalog's rows; null: no fixed price any more. */
  fixed_prices: z.optional(
    z
      .record(
        z.string().check(z.maxLength(maxModelId)),
        z.nullable(z.lazy(() => pricesSchema(strictObjectOf).price())),
      )
      .check(
        z.refine(
          (prices) => Object.keys(prices).length <= maxFixedPrices,
          `may have ${maxFixedPrices} models`,
        ),
      ),
  ),
});

export type PricingChangeInput = z.infer<typeof pricingChangeInput>;
