/** Where the attempts of a request start and fail. */
import type { AttemptOutput } from '../core/accounting/ledger.ts';
import { priceOf } from '../core/accounting/price.ts';
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts, Call } from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors/errors.ts';
import { noteUnanswered } from './use/attempt-use.ts';

interface AttemptStart {
  /** Unix milliseconds. */
  readonly at: number;
  /** The estimated tokens of the input. */
  readonly inputTokens: number;
  /** Absent: not measured in tokens. */
  readonly output: AttemptOutput | undefined;
}

/** Records whom the request is sent to, before it is. */
export function startAttempt(
  { facts, begin }: Pick<Call<unknown>, 'facts' | 'begin'>,
  { model, deployment, credential }: Target,
  { at, inputTokens, output }: AttemptStart,
): AttemptFacts {
  const { provider, region, routes, upstreamId } = deployment;
  const price = priceOf({ model, deployment }, at / 1000);
  const attempt: AttemptFacts = { provider, model: model.id, region, at, inputTokens };
  if (routes) attempt.upstreamId = upstreamId;
  if (credential) attempt.credential = credential.id;
  if (output) attempt.output = output;
  if (price) attempt.price = price;
  facts.model = model.id;
  facts.attempts.push(attempt);
  begin();
  return attempt;
}

/** Records why an attempt failed. */
export function failAttempt(
  attempt: AttemptFacts,
  { code, kind }: GatewayError,
  { at, isStream }: { readonly at: number; readonly isStream: boolean },
): void {
  attempt.error = code ?? kind;
  attempt.endedAt = at;
  noteUnanswered(attempt, isStream);
}
