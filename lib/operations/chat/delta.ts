/**
 * Writes the events of a chat answer as the choices of chunks: the first of each choice has the role, the last its finish
 * reason. All reasoning details of a choice come in one list, right before its finish: the official SDK uses only the last
 * list, and a client that joins lists gets each detail once.
 */
import type { ReasoningDetail } from '../../core/generation/request.ts';
import type { ChatEvent } from './one-message.ts';
import { writeSignatureOfCall } from './thought-signature.ts';
import { writeDetail, writeLogprobs } from './write.ts';

export type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' }>;

/** One choice of one chunk. */
export interface ChunkChoice {
  readonly index: number;
  readonly delta: object;
  readonly logprobs: object | null;
  /** Not null in the last of a choice. */
  readonly finish_reason: string | null;
}

/** Converts an event to choices, each for a chunk of its own. Remembers the events before it. */
export function deltaWriter(): (event: ChoiceEvent) => readonly ChunkChoice[] {
  const begun = new Map<number, ReasoningDetail[]>();
  return (event) => {
    const known = begun.get(event.choice);
    if (known) return choicesOf(event, known);
    const details: ReasoningDetail[] = [];
    begun.set(event.choice, details);
    return [choiceOf(event.choice, { role: 'assistant', content: '' }), ...choicesOf(event, details)];
  };
}

function choiceOf(index: number, delta: object, rest: Partial<ChunkChoice> = {}): ChunkChoice {
  return { index, delta, logprobs: null, finish_reason: null, ...rest };
}

/** `details` are those of the choice so far. */
function choicesOf(event: ChoiceEvent, details: ReasoningDetail[]): readonly ChunkChoice[] {
  switch (event.type) {
    case 'reasoning-detail':
      details.push(event.detail);
      return [];
    case 'logprobs':
      return [choiceOf(event.choice, {}, { logprobs: writeLogprobs(event) })];
    case 'finish': {
      const finish = choiceOf(event.choice, {}, { finish_reason: event.reason });
      if (details.length === 0) return [finish];
      return [choiceOf(event.choice, { reasoning_details: details.map(writeDetail) }), finish];
    }
    default:
      return [choiceOf(event.choice, deltaOf(event, details))];
  }
}

/** The signature of a call is a detail that comes before the call. */
function deltaOf(
  event: Exclude<ChoiceEvent, { type: 'reasoning-detail' | 'logprobs' | 'finish' }>,
  details: readonly ReasoningDetail[],
): object {
  switch (event.type) {
    case 'text':
      return { content: event.text };
    case 'refusal':
      return { refusal: event.text };
    case 'reasoning':
      return { reasoning_content: event.text };
    case 'annotation':
      return { annotations: [event.annotation] };
    case 'tool-call': {
      const call = { name: event.name, arguments: '' };
      const extra = writeSignatureOfCall(details.find(({ id }) => id === event.id));
      return {
        tool_calls: [{ index: event.call, id: event.id, type: 'function', function: call, ...extra }],
      };
    }
    case 'tool-arguments':
      return { tool_calls: [{ index: event.call, function: { arguments: event.text } }] };
  }
}
