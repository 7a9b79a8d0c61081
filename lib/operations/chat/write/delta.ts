/**
 * Writes the events of a chat answer as the choices of chunks: the first of each choice has the role, the last its finish
 * reason. All reasoning details of a choice come in one list, right before its finish: the official SDK uses only the last
 * list, and a client that joins lists gets each detail once.
 */
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import type { ChatEvent } from '../read/one-message.ts';
import { writeSignatureOfCall } from '../thought-signature.ts';
import { writeCalled, writeDetail, writeLogprobs } from './write.ts';

export type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' }>;

/** One choice of one chunk. */
export interface WrittenChoice {
  readonly json: string;
  /** Whether it has the finish reason. */
  readonly isLast: boolean;
}

interface Rest {
  readonly logprobs?: object;
  readonly finish_reason?: string;
}

/** What a choice has had so far. */
interface Begun {
  readonly details: ReasoningDetail[];
  /** The first of each id: the signature of the call with that id. */
  readonly byId: Map<string, ReasoningDetail>;
  /** The numbers of its calls of custom tools. */
  readonly customCalls: Set<number>;
}

/** Converts an event to choices, each for a chunk of its own. Remembers the events before it. */
export function deltaWriter(): (event: ChoiceEvent) => readonly WrittenChoice[] {
  const choices = new Map<number, Begun>();
  return (event) => {
    const known = choices.get(event.choice);
    if (known) return choicesOf(event, known);
    const begun: Begun = { details: [], byId: new Map(), customCalls: new Set() };
    choices.set(event.choice, begun);
    return [choiceOf(event.choice, { role: 'assistant', content: '' }), ...choicesOf(event, begun)];
  };
}

function choiceOf(index: number, delta: object, rest: Rest = {}): WrittenChoice {
  const json = JSON.stringify({ index, delta, logprobs: null, finish_reason: null, ...rest });
  return { json, isLast: rest.finish_reason !== undefined };
}

/** Most chunks of a stream: nothing but the text differs. */
function textChoice(index: number, text: string): WrittenChoice {
  const json = `{"index":${index},"delta":{"content":${JSON.stringify(text)}},"logprobs":null,"finish_reason":null}`;
  return { json, isLast: false };
}

function choicesOf(event: ChoiceEvent, begun: Begun): readonly WrittenChoice[] {
  const { details } = begun;
  switch (event.type) {
    case 'text':
      return [textChoice(event.choice, event.text)];
    case 'reasoning-detail':
      details.push(event.detail);
      if (event.detail.id !== undefined && !begun.byId.has(event.detail.id))
        begun.byId.set(event.detail.id, event.detail);
      return [];
    case 'logprobs':
      return [choiceOf(event.choice, {}, { logprobs: writeLogprobs(event) })];
    case 'finish': {
      const finish = choiceOf(event.choice, {}, { finish_reason: event.reason });
      if (details.length === 0) return [finish];
      return [choiceOf(event.choice, { reasoning_details: details.map(writeDetail) }), finish];
    }
    default:
      return [choiceOf(event.choice, deltaOf(event, begun))];
  }
}

/** The signature of a call is a detail that comes before the call. */
function deltaOf(
  event: Exclude<ChoiceEvent, { type: 'text' | 'reasoning-detail' | 'logprobs' | 'finish' }>,
  { byId, customCalls }: Begun,
): object {
  switch (event.type) {
    case 'refusal':
      return { refusal: event.text };
    case 'reasoning':
      return { reasoning_content: event.text };
    case 'annotation':
      return { annotations: [event.annotation] };
    case 'tool-call': {
      if (event.kind === 'custom') customCalls.add(event.call);
      const extra = writeSignatureOfCall(byId.get(event.id));
      const call = writeCalled(event, '');
      return { tool_calls: [{ index: event.call, id: event.id, ...call, ...extra }] };
    }
    case 'tool-arguments': {
      const { call: index, text } = event;
      const piece = customCalls.has(index) ? { custom: { input: text } } : { function: { arguments: text } };
      return { tool_calls: [{ index, ...piece }] };
    }
  }
}
