/**
 * What is sent to the same target after it has rejected a request: the request without the parameter that it named, or, for
 * `truncation: auto`, a shorter conversation. Pure.
 */
import type { Model } from '../../core/catalog/model.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { charactersOf, type Shortened, shorten } from '../../normalization/conversation/truncation.ts';
import type { OriginalRetry, PreparedGeneration } from './prepare.ts';
import { withoutRejected } from './without-rejected.ts';

/** A prepared request, and what may still be changed of it. */
export interface RetriableGeneration extends PreparedGeneration {
  /** Whether a rejected parameter may be left out: once for each form of the conversation. */
  readonly canReduce: boolean;
  /** For an original request, where the gateway has a part in what is rejected. */
  readonly originalRetry?: OriginalRetry | undefined;
  /** Present for `truncation: auto`. */
  readonly shorter: Shortening | undefined;
}

interface Shortening {
  /** The conversation as the caller sent it. */
  readonly whole: GenerationRequest;
  /** How often it has been shortened. */
  readonly tries: number;
  /** Whether a rejected parameter may be left out of a shorter conversation. */
  readonly canReduce: boolean;
  readonly prepare: (request: GenerationRequest) => PreparedGeneration;
}

/** Undefined where the failure is no rejection of something that can be left out. */
export function reduced(error: GatewayError, prepared: RetriableGeneration): RetriableGeneration | undefined {
  if (!prepared.canReduce) return undefined;
  const { request, originalRetry } = prepared;
  // An original has fields of its own, and its caller acts on what is refused of it.
  const reduction = request.original ? originalRetry?.(error, request) : withoutRejected(error, request);
  if (!reduction) return undefined;
  const changes = [...prepared.changes, ...reduction.changes];
  return { ...prepared, request: reduction.request, changes, canReduce: false };
}

/** Undefined where the conversation is not the problem, or nothing more of it can be left out. */
export function shortened(
  error: GatewayError,
  prepared: RetriableGeneration,
): RetriableGeneration | undefined {
  const { shorter, target } = prepared;
  if (!shorter || error.kind !== 'upstream_context_length') return undefined;
  const next = nextShorter(shorter.whole, target.model.limits, shorter.tries);
  if (!next) return undefined;
  const again = shorter.prepare(next.request);
  return {
    ...again,
    changes: [...again.changes, ...next.changes],
    canReduce: shorter.canReduce,
    originalRetry: prepared.originalRetry,
    shorter: { ...shorter, tries: shorter.tries + 1 },
  };
}

/**
 * `truncation: auto`: a conversation that a target finds too long is sent again with less of its middle. Only the provider can
 * count its tokens, so its refusal decides, and no estimate before it.
 */

/** Text with fewer characters for each token than this is rare, code and most languages included. */
const charactersPerToken = 3;

/** How much of a conversation is kept from one try to the next. */
const share = 0.75;

const maxShortenings = 10;

/** The next shorter form of `whole`, after `shortened` times; undefined where nothing more can be left out. */
function nextShorter(
  whole: GenerationRequest,
  limits: Model['limits'],
  shortened: number,
): Shortened | undefined {
  if (shortened + 1 >= maxShortenings) return undefined;
  const limit = (limits.input ?? limits.context ?? Number.POSITIVE_INFINITY) * charactersPerToken;
  const first = Math.min(limit, charactersOf(whole) * share);
  return shorten(whole, first * share ** shortened);
}
