/**
 * What an attempt uses. A call that was sent counts as of unknown use until its counts are read, or the provider refuses it: so
 * nothing that may be charged for is ever recorded as free.
 */
import { eachItem, type ItemTransform } from '../../async/pipe.ts';
import type { AttemptFacts } from '../../core/endpoint.ts';
import type { ErrorKind } from '../../core/errors/error-kinds.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { GenerationRequest, JsonObject } from '../../core/generation/request.ts';
import { addUsage, inputOnly, type Usage } from '../../core/generation/usage.ts';
import type { Send } from '../../core/ports/http.ts';
import { countSeen, withToolUse } from './seen-use.ts';

/** `send`, whose requests are noted in the attempt. One that is answered with an error status costs nothing. */
export function noting(attempt: AttemptFacts, send: Send): Send {
  return async (request, options) => {
    let isSent = false;
    const onSent = () => {
      if (!isSent) attempt.uncounted = (attempt.uncounted ?? 0) + 1;
      isSent = true;
    };
    const response = await send(request, { ...options, onSent });
    onSent();
    if (response.status < 200 || response.status > 299) noteFree(attempt);
    return response;
  };
}

/** Whether a provider may charge for it. */
export const mayCost = ({ usage, uncounted = 0 }: AttemptFacts): boolean =>
  usage !== undefined || uncounted > 0;

/** A call that was sent costs nothing. */
export function noteFree(attempt: AttemptFacts): void {
  const { uncounted = 0 } = attempt;
  attempt.uncounted = uncounted > 1 ? uncounted - 1 : undefined;
}

/** What a call used, and the usage object of upstream. */
export interface CountedUse {
  readonly usage: Usage;
  readonly raw?: JsonObject | undefined;
  /** The service tier that the answer names; absent: none. */
  readonly serviceTier?: string | undefined;
}

/** A call that was sent used this. */
export function noteUse(attempt: AttemptFacts, { usage, raw, serviceTier }: CountedUse): void {
  noteFree(attempt);
  if (serviceTier !== undefined) attempt.tier = serviceTier;
  const { usage: earlier, rawUsage: earlierRaw } = attempt;
  attempt.usage = earlier ? addUsage(earlier, usage) : usage;
  if (raw) attempt.rawUsage = earlierRaw ? { calls: [...callsIn(earlierRaw), raw] } : raw;
}

const callsIn = (raw: JsonObject): readonly JsonObject[] =>
  Array.isArray(raw.calls) ? (raw.calls as readonly JsonObject[]) : [raw];

/** What `decode` gives. A body that cannot be decoded costs what it counts. */
export function decodedOrNoted<Decoded>(
  attempt: AttemptFacts,
  decode: () => Decoded,
  readUsage: () => CountedUse | undefined,
): Decoded {
  try {
    return decode();
  } catch (thrown) {
    const counted = readUsage();
    if (counted) noteUse(attempt, counted);
    throw thrown;
  }
}

/**
 * A call that was sent, and whose counts never came, used about this; what it may have generated out of sight is added when its
 * cost is computed (`metering/unseen-output.ts`). `isOpen`: the provider may go on although nothing of it was seen.
 */
export function noteEstimate(attempt: AttemptFacts, usage: Usage, isOpen = false): void {
  noteUse(attempt, { usage });
  attempt.estimated = true;
  const { output } = attempt;
  if (isOpen && output) attempt.output = { ...output, isHidden: true };
  if (isOpen || output?.isInputUnknown) attempt.isFloor = true;
}

/**
 * A call that was sent and never answered: about its input was read. A provider ends a stream when its connection is closed; a body
 * it may generate to the end. What is charged for by a unit that tokens do not tell stays unknown.
 */
export function noteUnanswered(attempt: AttemptFacts, isStream: boolean): void {
  const { searchUnit, audioHour } = attempt.price?.price ?? {};
  const isByTokens = searchUnit === undefined && audioHour === undefined;
  if (attempt.uncounted && attempt.output && isByTokens) {
    noteEstimate(attempt, inputOnly(attempt.inputTokens), !isStream);
  }
}

/** Failures that are not the provider's own word: it may have answered, and charges for that. */
const unstated: readonly ErrorKind[] = [
  'upstream_cut',
  'upstream_timeout',
  'upstream_unreachable',
  'upstream_invalid_answer',
  'client_closed',
  'deadline_exceeded',
  'internal',
];

/** Whether the provider itself reports the failure. */
export const isStated = (thrown: unknown): boolean =>
  thrown instanceof GatewayError && !unstated.includes(thrown.kind);

interface Noted {
  readonly attempt: AttemptFacts;
  readonly request: GenerationRequest;
  /** Whether the answer is one body, which has its counts or has none. */
  readonly isWhole: boolean;
  /** The usage that upstream has reported so far. */
  readonly usageSoFar: () => Usage | undefined;
}

export interface NotedUse extends ItemTransform<GenerationEvent> {
  /** Whether its reader has left, and the counts may still come. */
  isLeft(): boolean;
  /** They will not. `thrown`: what ended it. */
  endLeft(thrown?: unknown): void;
}

/**
 * Notes in the attempt what an answer uses, while it passes. One that breaks off has used what was seen of it. One that is left is open
 * until `endLeft`.
 */
export function notingUse({ attempt, request, isWhole, usageSoFar }: Noted): NotedUse {
  const seen = countSeen(request, usageSoFar);
  let isCounted = false;
  let hasStatedFailure = false;
  /** `left`: its reader has left, and the counts may still come. */
  let state: 'read' | 'over' | 'left' = 'read';
  const end = () => {
    state = 'over';
    if (isCounted) return;
    if (seen.isAny() || !(isWhole || hasStatedFailure)) noteEstimate(attempt, seen.usage());
    else if (hasStatedFailure) noteFree(attempt);
  };
  const failed = (thrown: unknown) => {
    state = 'over';
    hasStatedFailure = isStated(thrown);
    return thrown;
  };
  const note = (event: GenerationEvent): GenerationEvent => {
    seen.add(event);
    if ((event.type === 'start' || event.type === 'usage') && event.serviceTier !== undefined) {
      attempt.tier = event.serviceTier;
    }
    if (event.type !== 'usage') return event;
    const usage = withToolUse(event.usage, seen.toolUse());
    const isMissing = seen.isMissedBy(usage);
    if (!isCounted && !isMissing) noteUse(attempt, { usage, raw: event.raw });
    isCounted ||= !isMissing;
    return { ...event, usage };
  };
  const noted = eachItem(note, {
    end() {
      state = 'over';
    },
    failed,
    closed() {
      if (state === 'read' && !isWhole) state = 'left';
      else end();
    },
  });
  return {
    isLeft: () => state === 'left' && !isCounted,
    endLeft(thrown) {
      const wasLeft = state === 'left';
      if (thrown === undefined) state = 'over';
      else failed(thrown);
      if (wasLeft) end();
    },
    ...noted,
  };
}
