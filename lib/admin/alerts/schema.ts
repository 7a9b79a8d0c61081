/** Alerts as the admin API lists them. The dashboard uses these types. */
import * as z from 'zod/mini';
import { cursor, listOf, pageLimit } from '../list-schema.ts';
import { tenantName } from '../tenancy-schema.ts';

/** Alerts of one page. */
const maxAlertPage = 200;
export const defaultAlertPage = 50;

/** Newest first. */
export const alertsListQuery = z.strictObject({
  tenant: z.optional(tenantName()),
  limit: pageLimit(maxAlertPage),
  after: cursor(),
});

export const alertSchema = z.object({
  object: z.literal('alert'),
  id: z.string(),
  /** As webhooks name it: `limit.alert`, `limit.alerts_paused`, `provider.failing`; and `sums.behind`. */
  type: z.string(),
  /** Null: it is about no tenant. */
  tenant: z.nullable(z.string()),
  message: z.string(),
  since: z.int(),
  /** When it was over, or a budget begins again. Null: it is not known to end. */
  until: z.nullable(z.int()),
  /** Whether it reached every webhook and the event bus. Null: there is none, or it is on its way. */
  delivered: z.nullable(z.boolean()),
});

export const alertsListAnswer = z.object({
  ...listOf(alertSchema).shape,
  /** Up to when the sums have every request; null: nothing was counted in the last two days. */
  as_of: z.nullable(z.int()),
});

export type AlertsListQuery = z.infer<typeof alertsListQuery>;
export type AlertRow = z.infer<typeof alertSchema>;
export type AlertsListAnswer = z.infer<typeof alertsListAnswer>;
