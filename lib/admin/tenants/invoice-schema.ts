/** Invoices and the adjustments that are on them, as the admin API shows them, and the inputs that make them. */
import * as z from 'zod/mini';
import { parseSignedDollars } from '../../core/accounting/money.ts';
import { cursor, listOf, pageLimit } from '../list-schema.ts';
import { tenantName } from '../tenancy-schema.ts';
import { clientId } from './credit-schema.ts';
import { maxTenantPage } from './schema.ts';

const longestReason = 500;

/** Characters of the id of a request. */
const maxRequestId = 128;

const month = () => z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10'));

export const adjustmentsListQuery = z.strictObject({
  tenant: tenantName(),
  /** Absent: this month. */
  month: z.optional(month()),
  limit: pageLimit(maxTenantPage),
  after: cursor(),
});

export const adjustmentSchema = z.object({
  object: z.literal('adjustment'),
  id: z.string(),
  tenant: z.string(),
  /** The month whose invoice it is on. */
  month: z.string(),
  created_at: z.int(),
  /** Negative: in favour of the tenant. */
  amount_usd: z.string(),
  reason: z.string(),
  by: z.string(),
  request: z.nullable(z.string()),
});

export const invoiceQuery = z.strictObject({
  tenant: tenantName(),
  /** Absent: this month. */
  month: z.optional(month()),
});

export const invoiceCloseInput = z.strictObject({ month: month() });

export const invoiceAnswer = z.object({
  object: z.literal('invoice'),
  tenant: z.string(),
  month: z.string(),
  /** `draft` while the month is not closed: its amounts may still change. */
  status: z.enum(['draft', 'closed']),
  closed_at: z.nullable(z.int()),
  closed_by: z.nullable(z.string()),
  /** SHA-256 of the daily totals of a closed month, in hexadecimal. */
  hash: z.nullable(z.string()),
  /** Whether the daily totals are still those of the closed month. */
  is_unchanged: z.boolean(),
  lines: z.array(
    z.object({
      model: z.string(),
      requests: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      charge_usd: z.string(),
    }),
  ),
  adjustments: z.array(adjustmentSchema),
  /** Those without a known charge, which are not included. */
  uncharged_requests: z.int(),
  estimated_requests: z.int(),
  /** What of the charges rests on estimates. */
  estimated_usd: z.string(),
  charges_usd: z.string(),
  adjusted_usd: z.string(),
  total_usd: z.string(),
});

export const adjustmentsListAnswer = listOf(adjustmentSchema);

const signedProblem = 'must be an amount in US dollars as text, such as "-5.00" or "0.25", and not 0';

export const adjustmentsAddInput = z.strictObject({
  /** Chosen by the client: a request that is repeated with the same id counts once. */
  id: clientId(),
  amount_usd: z.string(signedProblem).check(
    z.maxLength(30),
    z.refine((text) => Boolean(parseSignedDollars(text)), signedProblem),
  ),
  reason: z.string().check(z.minLength(1), z.maxLength(longestReason)),
  /** Absent: this month. */
  month: z.optional(month()),
  request: z.optional(z.nullable(z.string().check(z.maxLength(maxRequestId)))),
});

export type AdjustmentsListQuery = z.infer<typeof adjustmentsListQuery>;

export type InvoiceQuery = z.infer<typeof invoiceQuery>;

export type InvoiceCloseInput = z.infer<typeof invoiceCloseInput>;

export type InvoiceAnswer = z.infer<typeof invoiceAnswer>;

export type AdjustmentRow = z.infer<typeof adjustmentSchema>;

export type AdjustmentsListAnswer = z.infer<typeof adjustmentsListAnswer>;

export type AdjustmentsAddInput = z.infer<typeof adjustmentsAddInput>;
