/** The rules of a request before anything is asked: its policies, its texts, and what is taken out of them. */
import type { Call } from '../../core/endpoint.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { guardrailUnavailable } from '../../core/guardrails/applied.ts';
import type { Policy, PolicyReference } from '../../core/guardrails/policy.ts';
import type { Guardrails } from '../../core/ports/guardrails.ts';
import type { Asked } from '../generation/prepare.ts';
import { redactInput } from './input.ts';
import { rulesFor, type Session } from './session.ts';
import { createTags } from './tags.ts';
import { lookAtOriginal, lookAtTexts, type PlacedText } from './texts.ts';

/** Rejects with GatewayError `guardrail_unavailable` where one of them cannot be read. */
export async function findPolicies(
  guardrails: Guardrails | undefined,
  { key }: Pick<Call<unknown>, 'key'>,
  references: readonly PolicyReference[],
): Promise<readonly Policy[]> {
  const tenant = key?.tenant ?? '';
  return await Promise.all(
    references.map(async (reference) => {
      const found = await guardrails?.findPolicy(tenant, reference).catch(() => undefined);
      if (!found) throw guardrailUnavailable(reference.id, 'its policy cannot be read');
      return found;
    }),
  );
}

/** `whole`: all that the caller has written, for tags that are of its own. */
export function openSession(
  parts: Pick<Session, 'guardrails' | 'now' | 'signal'>,
  {
    call: { facts, key },
    policies,
    whole,
  }: {
    readonly call: Pick<Call<unknown>, 'facts' | 'key'>;
    readonly policies: readonly Policy[];
    readonly whole: () => string;
  },
): Session {
  return {
    ...parts,
    rules: rulesFor(policies, 'input'),
    changesAnswer: rulesFor(policies, 'output').some(({ action }) => action === 'redact'),
    tenant: key?.tenant ?? '',
    facts,
    tags: createTags(whole),
  };
}

/** All that the caller has written, as targets of another protocol get it. */
export const wholeTextOf = (request: GenerationRequest): string =>
  textsOf(translatedFrom(request))
    .map(({ text }) => text)
    .join('\n');

/** The texts that a target gets: of the original, if it may get that. */
export function textsOf(request: GenerationRequest): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const look = (text: PlacedText) => {
    texts.push(text);
    return [];
  };
  if (request.original && request.original.protocol !== translated)
    lookAtOriginal(request.original.body, look);
  else lookAtTexts(request, look);
  return texts;
}

/** No protocol: a request with this original is translated for every target. */
const translated = 'translated';

const translatedFrom = (request: GenerationRequest): GenerationRequest =>
  request.original ? { ...request, original: { ...request.original, protocol: translated } } : request;

/** What may be changed is not passed through: the original has the same texts in other places. */
export async function withRedaction(session: Session, asked: Asked): Promise<Asked> {
  const rules = session.rules.filter(({ action }) => action === 'redact');
  if (rules.length === 0 && !session.changesAnswer) return asked;
  const request = translatedFrom(asked.request);
  const { edits, changes } = await redactInput(session, rules, textsOf(request));
  let index = -1;
  const redacted = lookAtTexts(request, () => {
    index += 1;
    return edits.get(index) ?? [];
  });
  return { ...asked, request: redacted, leftOut: [...asked.leftOut, ...changes] };
}
