/** The response object of the public API, in every status. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GatewayError } from '../../../core/errors/errors.ts';
import type { FinishReason } from '../../../core/generation/events.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { totalTokens, type Usage } from '../../../core/generation/usage.ts';
import { type CostInUsage, withCost } from '../../answer-facts.ts';
import type { ResponseEcho } from './echo.ts';

/** The fields that do not change during a response. */
export interface ResponseIdentity {
  readonly id: string;
  /** Unix seconds. */
  readonly created_at: number;
  /** The `owner/model` that answers. */
  readonly model: string;
}

interface ResponseState {
  readonly outcome: Outcome;
  readonly output: readonly object[];
  readonly usage?: Usage;
  readonly cost?: CostInUsage;
  /** As reported by the provider. */
  readonly serviceTier?: string;
  readonly moderation?: JsonObject;
}

/** The status of a response and the fields that depend on it. */
export interface Outcome {
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly completed_at: number | null;
  readonly error: JsonObject | null;
  readonly incomplete_details: JsonObject | null;
}

const open = { completed_at: null, error: null, incomplete_details: null };

export const queued: Outcome = { ...open, status: 'queued' };

export const inProgress: Outcome = { ...open, status: 'in_progress' };

const incompleteReasons: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** `now`: Unix seconds. */
export function finished(finish: FinishReason, now: number): Outcome {
  const reason = incompleteReasons[finish];
  if (reason === undefined) return { ...open, status: 'completed', completed_at: now };
  return { ...open, status: 'incomplete', incomplete_details: { reason } };
}

/** The codes of OpenAI's schema by HTTP status. All other statuses become `server_error`. */
const errorCodes: Readonly<Record<number, string>> = { 400: 'invalid_prompt', 429: 'rate_limit_exceeded' };

export function failed({ status, message }: Pick<GatewayError, 'status' | 'message'>): Outcome {
  return { ...open, status: 'failed', error: { code: errorCodes[status] ?? 'server_error', message } };
}

const isOpen = ({ status }: Outcome): boolean => status === 'queued' || status === 'in_progress';

export function writeResponse(
  identity: ResponseIdentity,
  { service_tier: tier, ...echo }: ResponseEcho,
  { outcome, output, usage, cost, serviceTier, moderation }: ResponseState,
): JsonObject {
  return {
    ...identity,
    object: 'response',
    ...echo,
    ...outcome,
    service_tier: serviceTier ?? (isOpen(outcome) ? tier : 'default'),
    output,
    usage: usage ? withCost(writeUsage(usage), cost) : null,
    ...(moderation && { moderation }),
  };
}

export function writeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: totalTokens(usage),
  };
}

export type EventQueue = ReturnType<typeof createEventQueue>;

/** `first`: the number of the first event. */
export function createEventQueue(first = 0) {
  let sequence_number = first;
  let waiting: PublicEvent[] = [];
  return {
    /** `type` is also the name of the server-sent event. */
    emit(type: string, fields: object) {
      waiting.push({ event: type, data: { type, sequence_number, ...fields } });
      sequence_number += 1;
    },
    /** Emits an event of this type with each delta. The fields before that are the same in all, and written as JSON once. */
    deltas(type: string, fields: object) {
      const same = JSON.stringify(fields).slice(1, -1);
      return (delta: object) => {
        const data = `{"type":"${type}","sequence_number":${sequence_number},${same},${JSON.stringify(delta).slice(1)}`;
        waiting.push({ event: type, data });
        sequence_number += 1;
      };
    },
    /** The events emitted since the last call. */
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
