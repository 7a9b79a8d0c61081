/**
 * `truncation: auto`: a conversation that a target finds too long is sent again with less of its middle. Only the provider can
 * count its tokens, so its refusal decides, and no estimate before it.
 */

import type { Model } from '../../core/catalog/model.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { charactersOf, type Shortened, shorten } from '../../normalization/conversation/truncation.ts';

/** Text with fewer characters for each token than this is rare, code and most languages included. */
const charactersPerToken = 3;

/** How much of a conversation is kept from one try to the next. */
const share = 0.75;

const maxShortenings = 10;

/** The next shorter form of `whole`, after `shortened` times; undefined where nothing more can be left out. */
export function nextShorter(
  whole: GenerationRequest,
  limits: Model['limits'],
  shortened: number,
): Shortened | undefined {
  if (shortened + 1 >= maxShortenings) return undefined;
  const limit = (limits.input ?? limits.context ?? Number.POSITIVE_INFINITY) * charactersPerToken;
  const first = Math.min(limit, charactersOf(whole) * share);
  return shorten(whole, first * share ** shortened);
}
