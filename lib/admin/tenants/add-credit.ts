/** `POST /admin/v1/tenants/{tenant}/credit`: gives a tenant prepaid credit, once for each id that the client chose. */
import { formatDollars, parseDollars } from '../../core/accounting/money.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { daySeconds } from '../../core/time.ts';
import { addCredit } from '../../metering/credit/add-credit.ts';
import { recordChange } from '../audit/record-change.ts';
import { tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import {
  type CreditAddAnswer,
  type CreditAddInput,
  creditAddInput,
  defaultPriority,
} from './credit-schema.ts';
import { tenantPath } from './schema.ts';

export const addCreditEndpoint = (parts: SubjectParts) =>
  endpointOf(parts, tenantPath, creditAddInput, giveCredit);

export async function giveCredit(
  parts: SubjectParts,
  user: User,
  { tenant: name, id, ...input }: CreditAddInput & { readonly tenant: string },
): Promise<CreditAddAnswer> {
  const { priority = defaultPriority, note, expires_at: expires } = input;
  const at = Math.floor(parts.now() / 1000);
  const amount = parseDollars(input.amount_usd) ?? 0;
  if (amount === 0) throw invalid('amount_usd', 'must be more than 0');
  if (typeof expires === 'number') requireDay(expires, at);
  const grant = {
    id,
    at,
    amount,
    priority,
    by: user.name,
    ...(note && { note }),
    ...(expires && { expires }),
  };
  const tenant = await addCredit(parts, name, grant);
  const given = tenant?.grants?.find((one) => one.id === id);
  if (!tenant || !given) throw tenantNotFound(name);
  if (given.amount !== amount) throw usedBefore(id);
  const shown = formatDollars(amount);
  await recordChange(parts, user, 'tenants.credit', {
    tenant: name,
    target: name,
    after: { grant: id, amount_usd: shown, priority, note, expires_at: expires },
    // What is repeated has the time of the first, and so the same record.
    once: { id: `credit.${name}.${id}`, at: given.at * 1000 },
  });
  const credit = formatDollars(tenant.limits?.credit ?? 0);
  return { object: 'credit', id, tenant: name, amount_usd: shown, credit_usd: credit };
}

function requireDay(expires: number, now: number): void {
  if (expires % daySeconds !== 0)
    throw invalid('expires_at', 'must be the beginning of a day (UTC), in Unix seconds');
  if (expires <= now) throw invalid('expires_at', 'must be after today');
}

const usedBefore = (id: string) =>
  new GatewayError(
    'conflict',
    `A grant with the id '${id}' and another amount was given before. Choose another id.`,
    {
      param: 'id',
    },
  );
