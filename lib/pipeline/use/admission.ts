/** What is reserved for the attempts of a request: at most one of them may use what was reserved once. */

import { formatDollars } from '../../core/accounting/money.ts';
import { priceOf } from '../../core/accounting/price.ts';
import { ownKeyFeeAt, type Pricing, tariffOf } from '../../core/accounting/pricing.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Call } from '../../core/endpoint.ts';
import type { ErrorKind } from '../../core/errors/error-kinds.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import { boundOfFee, boundWithMarkup } from '../../metering/cost/charge.ts';
import { highestCost, type MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { ModelTask } from '../model-task.ts';
import type { PipelineParts } from '../parts.ts';
import { mayCost } from './attempt-use.ts';

export interface Admission<Prepared, Answer> {
  /** The task, with less output where the limits leave less. */
  task: ModelTask<Prepared, Answer>;
  /** How often its use has been reserved. */
  times: number;
}

/**
 * Reserves what one attempt may use, whichever target it asks. Rejects with GatewayError if the limits do not allow it; without limits
 * there is nothing to wait for.
 */
export function admit<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
  targets: readonly Target[],
): Admission<Prepared, Answer> | Promise<Admission<Prepared, Answer>> {
  const admitted = call.admit(() => maxOf(parts, task, call, targets));
  return admitted ? reserve(parts, task, call, targets, admitted).then(once) : once(task);
}

const once = <Prepared, Answer>(task: ModelTask<Prepared, Answer>): Admission<Prepared, Answer> => ({
  task,
  times: 1,
});

/**
 * Reserves once more before a further attempt, if as many attempts as were reserved for may have cost something: a provider also
 * charges for what the gateway gave up. A refusal is reported as the failure that the attempt would have made good: that is
 * what the caller can act on, and a request that is sent again meets the limit by itself.
 */
export async function admitAgain<Prepared, Answer>(
  parts: PipelineParts,
  admission: Admission<Prepared, Answer>,
  call: Call<unknown>,
  {
    targets,
    failure,
  }: { readonly targets: readonly Target[]; readonly failure: () => GatewayError | Promise<GatewayError> },
): Promise<void> {
  if (call.facts.attempts.filter(mayCost).length < admission.times) return;
  admission.task = await reserve(parts, admission.task, call, targets).catch(async (refusal) => {
    if (!(refusal instanceof GatewayError)) throw refusal;
    const error = await failure();
    throw error.with({ message: `${error.message} It was not tried again: ${refusal.message}` });
  });
  admission.times += 1;
}

async function reserve<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
  targets: readonly Target[],
  admitted = call.admit(() => maxOf(parts, task, call, targets)),
): Promise<ModelTask<Prepared, Answer>> {
  try {
    return within(task, await admitted);
  } catch (refusal) {
    const tool = task.reading?.();
    if (!tool || !task.withOneCall || !isOfAmount(refusal)) throw refusal;
    const lowered = { ...task, ...task.withOneCall() };
    // What it may bring in with a single call may still fit.
    const max = () => maxOf(parts, lowered, call, targets);
    const granted = await call.admit(max)?.catch((error) => {
      throw isOfAmount(error) ? withReason(error, tool, max()) : error;
    });
    return within(lowered, granted);
  }
}

const ofAmount: readonly ErrorKind[] = ['insufficient_quota', 'budget_used_up', 'rate_limited'];

const isOfAmount = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && ofAmount.includes(error.kind);

/** The tool that makes the difference, and how much there would have to be. */
function withReason(
  error: GatewayError,
  { param, type }: { readonly param: string; readonly type: string },
  { fixed }: MaxUse,
): GatewayError {
  const amount =
    fixed.amount === null ? '' : `, which cost up to ${formatDollars(fixed.amount)} USD with the request`;
  const advice = 'Bound what it reads, for example with max_uses and max_content_tokens, or leave it out.';
  return error.with({
    param,
    message: `${error.message} ${type} may bring in many tokens${amount}. ${advice}`,
  });
}

const maxOf = <Prepared, Answer>(
  { now }: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  { key }: Call<unknown>,
  targets: readonly Target[],
): MaxUse => maxUse(targets, task.maxTokens, now() / 1000, key?.tenantPolicy?.pricing);

/** The task with as much output as was granted. */
function within<Prepared, Answer>(
  task: ModelTask<Prepared, Answer>,
  granted: number | undefined,
): ModelTask<Prepared, Answer> {
  if (granted === undefined || !task.prepareWithin) return task;
  const { output } = task;
  return {
    ...task,
    prepare: task.prepareWithin(granted),
    ...(output && { output: (target) => output(target, granted) }),
  };
}

/** The use at the most expensive target: which one answers is known only when it is too late to refuse. */
function maxUse(
  targets: readonly Target[],
  maxTokens: (target: Target) => MaxTokens,
  seconds: number,
  pricing: Pricing | undefined,
): MaxUse {
  const uses = targets.map((target) => {
    const tokens = maxTokens(target);
    return { tokens, ...highestCharge(tokens, target, seconds, pricing) };
  });
  const charge = highestOf(uses.map((use) => use.charge));
  const highest = (count: (tokens: MaxTokens) => number) =>
    Math.max(...uses.map(({ tokens }) => count(tokens)));
  const expected = uses.flatMap(({ tokens: { usualOutput } }) => usualOutput ?? []);
  const isOwn = targets.some(({ credential }) => credential);
  return {
    fixed: { tokens: highest(({ input }) => input), amount: charge.fixed },
    perOutputToken: { tokens: 1, amount: charge.perOutputToken },
    output: {
      max: highest(({ output }) => output),
      min: highest(({ output, minOutput = output }) => minOutput),
      ...(expected.length > 0 && { expected: Math.max(...expected) }),
    },
    ...(uses.some(({ tokens }) => tokens.isUnseen) && { isUnseen: true }),
    ...(isOwn && {
      ownKeys: combined(highestOf(uses.map(({ paid }) => paid)), charge, (paid, charged) => paid - charged),
    }),
  };
}

/** In nano-dollars; null: not known. */
interface Amounts {
  readonly fixed: number | null;
  readonly perOutputToken: number | null;
}

/** What a call may be charged; and what the tenant may pay for it, its provider included. */
function highestCharge(
  tokens: MaxTokens,
  target: Target,
  seconds: number,
  pricing: Pricing | undefined,
): { readonly charge: Amounts; readonly paid: Amounts } {
  const tariff = tariffOf(pricing, target.model.id, seconds);
  const isFixed = !target.credential && 'price' in tariff;
  const price = isFixed ? tariff.price : priceOf(target, seconds)?.price;
  const cost: Amounts = highestCost(isFixed ? withoutTier(tokens) : tokens, price, seconds * 1000) ?? unknown;
  if (target.credential) {
    const fee = ownKeyFeeAt(pricing, seconds);
    const charge = each(cost, (amount) => boundOfFee(amount, fee));
    const list = each(cost, (amount) => amount && Math.ceil(amount));
    return { charge, paid: combined(list, charge, (one, other) => one + other) };
  }
  const charge = 'price' in tariff ? cost : each(cost, (amount) => boundWithMarkup(amount, tariff));
  return { charge, paid: charge };
}

const unknown: Amounts = { fixed: null, perOutputToken: null };

const each = (
  { fixed, perOutputToken }: Amounts,
  change: (amount: number | null) => number | null,
): Amounts => ({ fixed: change(fixed), perOutputToken: change(perOutputToken) });

const combined = (one: Amounts, other: Amounts, add: (one: number, other: number) => number): Amounts => {
  const of = (name: keyof Amounts) => {
    const [first, second] = [one[name], other[name]];
    return first === null || second === null ? null : add(first, second);
  };
  return { fixed: of('fixed'), perOutputToken: of('perOutputToken') };
};

/** A tenant's fixed price is that of every tier. */
const withoutTier = ({ tier: _, ...tokens }: MaxTokens): MaxTokens => tokens;

const highestOf = (all: readonly Amounts[]): Amounts =>
  all.reduce((one, other) => combined(one, other, Math.max), { fixed: 0, perOutputToken: 0 });
