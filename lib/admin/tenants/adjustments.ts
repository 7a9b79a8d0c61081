/** Adjustments of what a tenant is charged for a month: their list, and a new one, once for each id that the client chose. */
import type { Adjustment } from '../../core/accounting/journal.ts';
import { formatDollars, parseSignedDollars } from '../../core/accounting/money.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { dayMs } from '../../core/time.ts';
import { recordChange } from '../audit/record-change.ts';
import { pageOf } from '../page-of.ts';
import { tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import {
  type AdjustmentRow,
  type AdjustmentsAddInput,
  type AdjustmentsListAnswer,
  type AdjustmentsListQuery,
  adjustmentsAddInput,
  adjustmentsListQuery,
} from './invoice-schema.ts';
import { defaultTenantPage, tenantPath } from './schema.ts';

type ListParts = Pick<SubjectParts, 'tenantEdits' | 'journal' | 'now'>;

/** `GET /admin/v1/tenants/{tenant}/adjustments` */
export const listAdjustmentsEndpoint = (parts: ListParts) =>
  endpointOf(parts, adjustmentsListQuery, nothing, listAdjustments);

async function listAdjustments(
  { tenantEdits, journal, now }: ListParts,
  _user: User,
  { tenant, month = monthOf(now()), after, limit = defaultTenantPage }: AdjustmentsListQuery,
): Promise<AdjustmentsListAnswer> {
  if (!(await tenantEdits.find(tenant))) throw tenantNotFound(tenant);
  const newestFirst = (await journal.adjustments(tenant, month)).toReversed();
  const { page, ...rest } = pageOf(newestFirst, ({ id }) => id, { after, limit });
  return { object: 'list', data: page.map(adjustmentRow), ...rest };
}

/** `POST /admin/v1/tenants/{tenant}/adjustments` */
export const addAdjustmentEndpoint = (parts: SubjectParts) =>
  endpointOf(parts, tenantPath, adjustmentsAddInput, addAdjustment);

export async function addAdjustment(
  parts: SubjectParts,
  user: User,
  { tenant, ...input }: AdjustmentsAddInput & { readonly tenant: string },
): Promise<AdjustmentRow> {
  const { id, reason, request, month } = input;
  const at = parts.now();
  if (!(await parts.tenantEdits.find(tenant))) throw tenantNotFound(tenant);
  const asked: Adjustment = {
    id: `client#${id}`,
    tenant,
    month: month ?? monthOf(at),
    at,
    amount: parseSignedDollars(input.amount_usd) ?? 0,
    reason,
    by: user.name,
    ...(request && { requestId: request }),
  };
  // One that is repeated after midnight of the first day was made in the month before.
  const earlier =
    month === undefined ? await findIn(parts, { ...asked, month: monthOf(at - repeatMs) }) : undefined;
  const made = earlier ?? ((await parts.journal.adjust(asked)) ? asked : await findIn(parts, asked));
  if (!made || made.amount !== asked.amount || made.reason !== reason) throw usedBefore(id);
  const { month: charged, amount } = made;
  await recordChange(parts, user, 'tenants.adjust', {
    tenant,
    target: tenant,
    after: { adjustment: id, month: charged, amount_usd: formatDollars(amount), reason, request },
    once: { id: `adjustment.${tenant}.${id}`, at: made.at },
  });
  return adjustmentRow(made);
}

/** How long a client may repeat a request without a month, and have it counted once. */
const repeatMs = dayMs;

const findIn = async ({ journal }: SubjectParts, { tenant, month, id }: Adjustment) =>
  (await journal.adjustments(tenant, month)).find((one) => one.id === id);

export const adjustmentRow = ({
  id,
  tenant,
  month,
  at,
  amount,
  reason,
  by,
  requestId,
}: Adjustment): AdjustmentRow => ({
  object: 'adjustment',
  id,
  tenant,
  month,
  created_at: Math.floor(at / 1000),
  amount_usd: formatDollars(amount),
  reason,
  by,
  request: requestId ?? null,
});

export const monthOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 7);

const usedBefore = (id: string) =>
  new GatewayError('conflict', `Another adjustment with the id '${id}' was made before. Choose another id.`, {
    param: 'id',
  });
