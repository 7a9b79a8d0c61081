/** Guardrails of operations whose answers are not looked at. See `guard-input.ts`. */
import type { Call } from '../../core/endpoint.ts';
import type { PolicyReference } from '../../core/guardrails/policy.ts';
import type { Guardrails } from '../../core/ports/guardrails.ts';
import type { NamedModels } from '../../routing/plan.ts';
import { checkAllowed } from '../check-allowed.ts';
import type { Asked } from '../generation/prepare.ts';
import type { PipelineParts } from '../parts.ts';
import { edited } from './edits.ts';
import { highestCharge, useOfLooking } from './highest-use.ts';
import { checkInput, redactInput } from './input.ts';
import { type AskedOfDetectors, checkDetectors } from './kept-by-detectors.ts';
import { findPolicies, openSession, textsOf, wholeTextOf, withRedaction } from './open.ts';
import type { GuardedTexts, PathText } from './path-texts.ts';
import { type ActiveRule, isLocal, type Session } from './session.ts';
import type { PlacedText } from './texts.ts';

interface Applied {
  readonly call: Call<unknown>;
  readonly references: readonly PolicyReference[];
}

/** `onlyLocal`: as far as a dry run goes: nothing is refused, and no detector is called. */
export async function guardedRequest(
  parts: PipelineParts,
  { asked, onlyLocal = false, ...applied }: Applied & { readonly asked: Asked; readonly onlyLocal?: boolean },
): Promise<Asked> {
  const whole = () => wholeTextOf(asked.request);
  const session = await sessionOf(parts, applied, asked, { whole, onlyLocal });
  const redacted = await withRedaction(session, asked);
  await checkInput(session, checking(session), textsOf(redacted.request));
  return redacted;
}

export async function guardedTexts(
  parts: PipelineParts,
  given: readonly PathText[],
  {
    call,
    references,
    onlyLocal,
  }: Applied & {
    readonly call: Call<NamedModels & AskedOfDetectors>;
    readonly onlyLocal?: boolean | undefined;
  },
): Promise<GuardedTexts> {
  const whole = () => given.map(({ text }) => text).join('\n');
  const session = await sessionOf(parts, { call, references }, call.input, { whole, onlyLocal });
  const placed = given.map((one, message): PlacedText => ({ ...one, scope: 'new', message }));
  const redacting = session.rules.filter(({ action }) => action === 'redact');
  const { edits, changes } = await redactInput(session, redacting, placed);
  const texts = given.map(({ text }, index) => edited(text, edits.get(index) ?? []));
  await checkInput(
    session,
    checking(session),
    placed.map((one, index) => ({ ...one, text: texts[index] ?? '' })),
  );
  return { texts, changes };
}

const isOwnRedaction = (active: ActiveRule): boolean => active.action === 'redact' && isLocal(active);

const checking = ({ rules }: Session) => rules.filter(({ action }) => action !== 'redact');

/** What is paid for is asked only about a model that the caller may use, within its limits. */
async function sessionOf(
  parts: PipelineParts,
  { call, references }: Applied,
  asked: NamedModels & AskedOfDetectors,
  { whole, onlyLocal }: { readonly whole: () => string; readonly onlyLocal?: boolean | undefined },
): Promise<Session> {
  const guardrails = await parts.loadGuardrails?.();
  const policies = await findPolicies(guardrails, call, references);
  await checkDetectors(parts, policies, asked, call);
  const { signal } = call;
  const session = openSession(
    { guardrails: guardrails as Guardrails, now: parts.now, signal },
    { call, policies, whole },
  );
  await checkAllowed(parts, asked, call);
  if (onlyLocal) return { ...session, rules: session.rules.filter(isOwnRedaction) };
  const remote = session.rules.filter((active) => !isLocal(active));
  if (remote.length > 0) {
    const amount = highestCharge(session, call, [[remote, whole().length]]);
    await call.admit(() => useOfLooking(amount));
  }
  return session;
}
