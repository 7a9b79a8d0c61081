/** Asks the target that has answered once more, for the same request of the caller. Both answers are metered. */
import { pipe, type Transform } from '../../../async/pipe.ts';
import { usageOf } from '../../../core/accounting/ledger.ts';
import type { Call } from '../../../core/endpoint.ts';
import { asGatewayError } from '../../../core/errors/errors.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { GenerationRequest, Message } from '../../../core/generation/request.ts';
import { addUsage, type Usage } from '../../../core/generation/usage.ts';
import { failAttempt, startAttempt } from '../../attempts.ts';
import type { RequestMedia } from '../../media/request-media.ts';
import type { PipelineParts } from '../../parts.ts';
import { reasonOf } from '../../run-targets.ts';
import { estimateInput } from '../../use/seen-use.ts';
import { callGeneration, type GenerationCall } from '../call-generation.ts';
import type { Generated } from '../generated.ts';
import { observe } from '../observe.ts';

/** A request that a target has answered. */
export interface Sent {
  readonly parts: PipelineParts;
  readonly call: Call<unknown>;
  /** As the target took it. */
  readonly sent: GenerationCall;
  /** What was fetched for it. */
  readonly media: RequestMedia;
}

/** Call it when the first answer has been read. Rejects with GatewayError if the target gives no second one. */
export async function askAgain(
  first: Generated,
  { parts, call, sent, media }: Sent,
  messages: readonly Message[],
): Promise<Generated> {
  const { connections, health, now } = parts;
  const { facts, signal, lasting = signal, memory } = call;
  const { target } = first;
  const request: GenerationRequest = { ...sent.request, messages: [...sent.request.messages, ...messages] };
  const earlier = usageOf(facts);
  const before = facts.attempts.at(-1);
  if (before) before.endedAt = now();
  const { output } = before ?? {};
  const attempt = startAttempt(call, target, { at: now(), inputTokens: estimateInput(request), output });
  const tenant = call.key?.tenant;
  const options = { connections, media, signal, lasting, memory, firstOutputMs: undefined, tenant, attempt };
  const answer = await callGeneration({ ...sent, request, run: undefined }, options).catch((thrown) => {
    const error = asGatewayError(reasonOf(signal, thrown));
    failAttempt(attempt, error, { at: now(), isStream: request.stream });
    throw error;
  });
  return {
    ...first,
    attempts: [...first.attempts, { target, status: 'succeeded', latencyMs: now() - attempt.at }],
    events: pipe(answer.events, observe(target, health, call, attempt)).pipe(withEarlierUse(earlier)),
  };
}

/** Adds the use of earlier attempts to what the answer reports. A sum of only one would look like the use of both. */
function withEarlierUse(earlier: Usage | undefined): Transform<readonly GenerationEvent[], GenerationEvent> {
  return {
    each(events, out) {
      for (const event of events) {
        if (event.type !== 'usage') out.push(event);
        else if (earlier) out.push({ ...event, usage: addUsage(earlier, event.usage) });
      }
    },
  };
}
