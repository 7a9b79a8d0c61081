/** The only place where an attempt of a request starts. */
import { priceOf } from '../core/accounting/price.ts';
import type { AttemptFacts, Call } from '../core/endpoint.ts';
import type { Target } from '../core/model.ts';

/** Records whom the request is sent to, before it is. */
export function startAttempt(
  { facts, begin }: Pick<Call<unknown>, 'facts' | 'begin'>,
  { model, deployment }: Target,
  at: number,
): AttemptFacts {
  const { provider, region } = deployment;
  const price = priceOf({ model, deployment }, at / 1000);
  const attempt: AttemptFacts = { provider, model: model.id, region, at, ...(price && { price }) };
  facts.model = model.id;
  facts.attempts.push(attempt);
  begin();
  return attempt;
}
