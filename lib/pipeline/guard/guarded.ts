/**
 * A generation under the policies of its tenant, key and request. In order: what is taken out of the request, and what local rules say;
 * beside the reservation what remote rules say, or beside the call; then the answer. Every target gets what has passed, so that no retry
 * and no fallback can get around a rule.
 */
import { pipe } from '../../async/pipe.ts';
import { sumOfAmounts } from '../../core/accounting/ledger.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import { asGatewayError, GatewayError } from '../../core/errors/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Policy, PolicyReference } from '../../core/guardrails/policy.ts';
import type { Guardrails } from '../../core/ports/guardrails.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import { checkAllowed } from '../check-allowed.ts';
import type { Generated } from '../generation/generated.ts';
import type { Asked } from '../generation/prepare.ts';
import { generationTask } from '../generation/task.ts';
import type { PipelineParts } from '../parts.ts';
import { planTargets } from '../plan-targets.ts';
import { highestCharge, useOfLooking } from './highest-use.ts';
import { checkInput } from './input.ts';
import { checkDetectors } from './kept-by-detectors.ts';
import { findPolicies, openSession, textsOf, wholeTextOf, withRedaction } from './open.ts';
import { guardOutput } from './output.ts';
import { restoreTags } from './restore.ts';
import { type ActiveRule, isLocal, lengthOf, rulesFor, type Session } from './session.ts';
import type { PlacedText } from './texts.ts';

type Generate = (asked: Asked, call: Call<unknown>) => Promise<Generated>;

export interface GuardedRequest {
  readonly parts: PipelineParts;
  readonly endpoint: ModelEndpoint;
  readonly asked: Asked;
  readonly call: Call<unknown>;
  /** Those that apply; at least one. */
  readonly references: readonly PolicyReference[];
}

export async function guarded(request: GuardedRequest, generate: Generate): Promise<Generated> {
  const { parts, endpoint, asked, call } = request;
  const guardrails = await parts.loadGuardrails?.();
  const policies = await findPolicies(guardrails, call, request.references);
  await checkDetectors(parts, policies, asked, call);
  try {
    return await generateGuarded({ ...request, guardrails: guardrails as Guardrails }, policies, generate);
  } catch (error) {
    const refusal = refusalOf(error, policies);
    if (refusal === undefined) throw error;
    // The model is named, though it was not asked.
    const { targets } = await planTargets(parts, generationTask(parts, endpoint, asked, call), call);
    const { leftOut: changes } = asked;
    return {
      target: targets[0],
      attempts: [],
      changes,
      isOriginal: false,
      sandbox: false,
      events: refused(refusal),
    };
  }
}

async function generateGuarded(
  { parts, guardrails, ...request }: GuardedRequest & { readonly guardrails: Guardrails },
  policies: readonly Policy[],
  generate: Generate,
): Promise<Generated> {
  const { call } = request;
  const stopping = new AbortController();
  const signal = AbortSignal.any([call.signal, stopping.signal]);
  const lasting = AbortSignal.any([call.lasting ?? call.signal, stopping.signal]);
  const whole = () => wholeTextOf(request.asked.request);
  const session = openSession({ guardrails, now: parts.now, signal }, { call, policies, whole });
  await checkAllowed(parts, request.asked, call);
  const isPaid = (active: ActiveRule) => !isLocal(active) && guardrails.highestCost(active.rule, 1) !== 0;
  const redacting = session.rules.filter((active) => active.action === 'redact' && isPaid(active));
  if (redacting.length > 0)
    await call.admit(() => useOfLooking(highestCharge(session, call, [[redacting, whole().length]])));
  const asked = await withRedaction(session, request.asked);
  const texts = textsOf(asked.request);
  const [local, remote] = parted(
    session.rules.filter(({ action }) => action !== 'redact'),
    isLocal,
  );
  await checkInput(session, local, texts);
  session.tags.sealInput();
  const [parallel, before] = parted(remote, ({ rule }) => rule.when === 'parallel');
  let beside: Promise<void> | undefined;
  let checked: Promise<void> | undefined;
  const admit: Call<unknown>['admit'] = async (maxUse) => {
    const reserving = call.admit(() => withGuards(maxUse(), session, { call, texts, policies }));
    // What is paid for is asked only within the caller's limits.
    if (before.some(isPaid)) await reserving;
    checked ??= checkInput(session, before, texts);
    // What is reserved is given back only once it is.
    await Promise.allSettled([reserving, checked]);
    const [granted] = await Promise.all([reserving, checked]);
    beside ??= checkInput(session, parallel, texts).catch((error) => {
      stopping.abort(error);
      throw error;
    });
    beside.catch(() => {});
    return granted;
  };
  const generated = await generate(asked, { ...call, signal, lasting, admit }).catch((error) => {
    stopping.abort(error);
    throw error;
  });
  try {
    await beside;
  } catch (error) {
    await generated.events[Symbol.asyncIterator]().return?.();
    throw asGatewayError(error);
  }
  const rules = rulesFor(policies, 'output');
  const events = rules.length > 0 ? guardOutput(generated.events, session, rules) : generated.events;
  const { response_format: format } = asked.request.parameters;
  const isJson = format !== undefined && format.type !== 'text';
  return {
    ...generated,
    events: session.tags.isEmpty() ? events : events.pipe(restoreTags(session.tags, isJson)),
  };
}

/** With the most that remote rules may cost: of the input, and of as much output as may be granted. */
function withGuards(
  use: MaxUse,
  session: Session,
  {
    call,
    texts,
    policies,
  }: {
    readonly call: Call<unknown>;
    readonly texts: readonly PlacedText[];
    readonly policies: readonly Policy[];
  },
): MaxUse {
  const input = session.rules.filter((active) => !isLocal(active));
  const output = rulesFor(policies, 'output').filter((active) => !isLocal(active));
  const most = use.output.expected ?? use.output.max;
  const amount = highestCharge(session, call, [
    [input, lengthOf(texts.map(({ text }) => text))],
    [output, most * charactersOfToken],
  ]);
  return { ...use, fixed: { ...use.fixed, amount: sumOfAmounts([use.fixed.amount, amount]) } };
}

/** Four; and each 800 of an answer are looked at together with the 200 before. */
const charactersOfToken = 5;

function parted<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** What is answered in place of an error; undefined: nothing. The message of the error names no policy that says otherwise. */
function refusalOf(error: unknown, policies: readonly Policy[]): string | undefined {
  if (!(error instanceof GatewayError) || error.kind !== 'guardrail_blocked') return undefined;
  const policy = policies.find(({ id }) => error.message.startsWith(`The guardrail '${id}'`));
  return policy?.answer === 'refusal' ? error.message : undefined;
}

function refused(text: string) {
  const events: readonly GenerationEvent[] = [
    { type: 'start' },
    { type: 'refusal', choice: 0, text },
    { type: 'finish', choice: 0, reason: 'stop' },
  ];
  const source = (async function* () {
    yield events;
  })();
  return pipe(source, {
    each(list, out: GenerationEvent[]) {
      for (const event of list) out.push(event);
    },
  });
}
