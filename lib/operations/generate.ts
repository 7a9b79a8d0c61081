/** What chat completions and responses share: a target is asked to generate, and its events are the answer. */

import { type Piped, pipe, type Transform } from '../async/pipe.ts';
import type { Call } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import type { GenerationRequest } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import type { Target } from '../core/model.ts';
import type { ModelEndpoint } from '../core/operations.ts';
import { generationOf } from '../providers/provider.ts';
import type { Attempt } from '../routing/attempt.ts';
import { committed } from '../routing/begin.ts';
import type { Health } from '../routing/health.ts';
import type { Need } from '../routing/plan.ts';
import { type AnswerDetails, type Asked, askTarget, normalizeFor } from './ask-target.ts';
import { type RouteParts, reasonOf, route } from './route.ts';
import { countSeen, maxTokensOf, type SeenTokens, withSearches } from './token-bounds.ts';

export type GenerateParts = RouteParts;

export interface Generated {
  readonly target: Target;
  readonly attempts: readonly Attempt[];
  readonly details: AnswerDetails;
  /** The whole answer from its first event on. Must be read to its end, or left by `return`. */
  readonly events: Piped<GenerationEvent>;
}

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export async function generate(
  parts: GenerateParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  const { providers, connections, health } = parts;
  const { model, fallbacks, request } = asked;
  call.facts.streamed = request.stream;
  const wires = (primary: Target) => ({ providers, endpoint, primary, connections });
  const wanted = { endpoint, model, fallbacks, needs: needsOf(request) };
  const routed = await route(
    parts,
    wanted,
    {
      canServe: (provider, target) => {
        const generation = generationOf(provider, endpoint);
        // A model that can search the web is asked where it can; one that cannot at all is refused later, by name.
        const mustSearch = request.webSearch !== undefined && target.model.traits.webSearch === true;
        return generation !== undefined && (!mustSearch || generation.searchesWeb === true);
      },
      check: asked.normalize
        ? (target, primary) => void normalizeFor(wires(primary), target, request)
        : undefined,
      ask: (target, primary, limitMs) => {
        const open = (signal: AbortSignal) => askTarget(wires(primary), target, asked, signal);
        return committed(open, limitMs, call.signal);
      },
      maxTokens: (target) => maxTokensOf(request, target),
      firstTokenMs: (target) => (request.stream ? firstTokenMs(parts, target) : undefined),
    },
    call,
  );
  const { target, attempts, answer, changes } = routed;
  call.facts.normalizations = changes.length + answer.details.changes.length;
  return {
    target,
    attempts,
    details: { ...answer.details, changes: [...changes, ...answer.details.changes] },
    events: pipe(
      answer.events,
      observing(target, health, call, countSeen(request, answer.details.usageSoFar)),
    ),
  };
}

/**
 * How long a stream may hold nothing but signs of life while another target is left, as a part of the first-byte clock. A
 * model that thinks unseen may take longer than its first byte; one that does not has no reason to.
 */
const firstTokenShare = { thinking: 2, plain: 0.4 };

function firstTokenMs({ connections }: GenerateParts, { model }: Target): number {
  const firstByteMs = connections.timeouts.firstByteMs ?? model.timeouts.firstByteMs;
  return firstByteMs * firstTokenShare[model.traits.reasoning ? 'thinking' : 'plain'];
}

/** Notes what the events tell of the work, for the log, and how the target fared. */
function observing(
  target: Target,
  health: Health,
  { facts, signal }: Call<unknown>,
  seen: SeenTokens,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  return {
    each(events, out) {
      for (const event of events) {
        seen.add(event);
        if (event.type === 'usage') {
          facts.usage = withSearches(event.usage, seen.searches());
          if (event.raw) facts.rawUsage = event.raw;
        }
        if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
        out.push(event);
      }
    },
    end: () => health.succeeded(target),
    failed(thrown) {
      const error = reasonOf(signal, thrown);
      if (error instanceof GatewayError && error.recovery !== 'none') health.failed(target);
      return error;
    },
    over() {
      const usage = facts.usage ? undefined : seen.usage();
      if (usage) Object.assign(facts, { usage, estimated: true });
    },
  };
}

/** The modality of a part that is no text, by its type. */
const modalities: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['file', 'pdf'],
]);

function needsOf({ messages }: GenerationRequest): readonly Need[] {
  const parts = messages.flatMap(({ content }) =>
    content.flatMap((part) => {
      const modality = modalities.get(part.type);
      return modality === undefined ? [] : [{ modality, param: pathOf(part) }];
    }),
  );
  return [{ modality: 'text' }, ...parts];
}
