/**
 * `truncation: auto`: a target that finds the conversation too long is asked again with less of its middle, until it
 * takes it. The provider alone can count its tokens, so that its refusal decides, and no estimate before it.
 */
import { GatewayError } from '../core/errors.ts';
import type { GenerationRequest } from '../core/generation/request.ts';
import type { Model } from '../core/model.ts';
import type { Change } from '../normalization/rule.ts';
import { charactersOf, shorten } from '../normalization/truncation.ts';

/** Text of fewer characters than this for each token is rare, code and most languages included. */
const charactersPerToken = 3;

/** How much of a conversation is kept from one try to the next. */
const share = 0.75;

const maxTries = 10;

export async function withinContext<Asked extends { readonly changes: readonly Change[] }>(
  request: GenerationRequest,
  limits: Model['limits'],
  ask: (request: GenerationRequest) => Promise<Asked>,
): Promise<Asked> {
  const limit = (limits.input ?? limits.context ?? Number.POSITIVE_INFINITY) * charactersPerToken;
  let room = Math.min(limit, charactersOf(request) * share);
  let refused = await tryOnce(() => ask(request));
  for (let tries = 1; refused instanceof GatewayError && tries < maxTries; tries++) {
    const shorter = shorten(request, room);
    if (!shorter) break;
    const answer = await tryOnce(() => ask(shorter.request));
    if (!(answer instanceof GatewayError)) {
      return { ...answer, changes: [...shorter.changes, ...answer.changes] };
    }
    refused = answer;
    room *= share;
  }
  if (refused instanceof GatewayError) throw refused;
  return refused;
}

/** The answer, or the refusal of a conversation that is too long. */
async function tryOnce<Answer>(ask: () => Promise<Answer>): Promise<Answer | GatewayError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'upstream_context_length') return error;
    throw error;
  }
}
