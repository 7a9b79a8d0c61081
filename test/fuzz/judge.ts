/** Rules for the events of a decoder, for any input. */
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { FinishReason, GenerationEvent } from '../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';

export interface Decoded {
  readonly events: readonly GenerationEvent[];
  /** How it failed; undefined for an answer that is returned as complete. */
  readonly error: unknown;
}

/** The most CPU time for one small answer, in milliseconds. */
const mostMs = 1_000;

export function decodeStream(protocol: GenerationProtocol, frames: readonly Frame[]): Decoded {
  const decoder = protocol.decodeStream();
  const events: GenerationEvent[] = [];
  return attempt(events, () => {
    for (const frame of frames) events.push(...decoder.onFrame(frame));
    events.push(...decoder.onEnd());
  });
}

export function decodeBody(protocol: GenerationProtocol, body: unknown): Decoded {
  const events: GenerationEvent[] = [];
  return attempt(events, () => events.push(...protocol.decodeBody(body)));
}

function attempt(events: readonly GenerationEvent[], work: () => void): Decoded {
  const began = process.cpuUsage();
  let error: unknown;
  try {
    work();
  } catch (thrown) {
    error = thrown;
  }
  const { user, system } = process.cpuUsage(began);
  if ((user + system) / 1_000 > mostMs) throw new Error('The decoder took too long.');
  return { events, error };
}

const finishReasons: readonly string[] = [
  'stop',
  'length',
  'tool_calls',
  'content_filter',
] satisfies FinishReason[];

/** All violations of the rules. */
export function faultsOf({ events, error }: Decoded): readonly string[] {
  const faults: string[] = [];
  if (error !== undefined && !(error instanceof GatewayError)) faults.push(`threw ${String(error)}`);
  const choices = new Map<number, { calls: number; finished: boolean; written: Map<number, string> }>();
  events.forEach((event, position) => {
    if ((event.type === 'start') !== (position === 0)) faults.push('starts once, first');
    if (event.type === 'start') return;
    if (event.type === 'usage') {
      if (position !== events.length - 1) faults.push('counts once, last');
      const { hostedCalls = {}, ...counts } = event.usage;
      const all = [...Object.values(counts), ...Object.values(hostedCalls)];
      if (all.some((count) => !Number.isSafeInteger(count) || Number(count) < 0)) {
        faults.push('counts in whole numbers');
      }
      return;
    }
    const choice = choices.get(event.choice) ?? { calls: 0, finished: false, written: new Map() };
    choices.set(event.choice, choice);
    if (!Number.isInteger(event.choice) || event.choice < 0) faults.push('choices are numbered from 0');
    if (choice.finished) faults.push('nothing of a choice comes after its finish');
    if (event.type === 'finish') {
      choice.finished = true;
      if (!finishReasons.includes(event.reason)) faults.push('a finish has one of the four reasons');
    }
    if (event.type === 'tool-call') {
      if (event.call !== choice.calls++) faults.push('calls count from 0');
      if (event.id === '' || event.name === '') faults.push('a call has an id and a name');
    }
    if (event.type === 'tool-arguments') {
      if (event.call >= choice.calls) faults.push('arguments come after their call');
      choice.written.set(event.call, (choice.written.get(event.call) ?? '') + event.text);
    }
    if ('text' in event && (typeof event.text !== 'string' || event.text === '')) {
      faults.push('pieces are texts, and not empty');
    }
  });
  if (error !== undefined) return faults;
  if (choices.size === 0) faults.push('an answer has a choice');
  for (const { finished, calls, written } of choices.values()) {
    if (!finished) faults.push('each choice of a whole answer is finished');
    if (written.size !== calls) faults.push('each call of a whole answer has arguments');
  }
  return faults;
}

/** The content of an answer, for comparisons. Ids are omitted: some protocols have none, so they are random. */
export function contentOf(events: readonly GenerationEvent[]): string {
  const said = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'start' || event.type === 'usage') continue;
    const call = 'call' in event ? event.call : '';
    const key = `${event.choice} ${event.type} ${call}`;
    said.set(key, (said.get(key) ?? '') + pieceOf(event));
  }
  return JSON.stringify([...said].toSorted());
}

function pieceOf(event: Exclude<GenerationEvent, { type: 'start' | 'usage' }>): string {
  if ('text' in event) return event.text;
  if (event.type === 'finish') return event.reason;
  return event.type === 'tool-call' ? event.name : '';
}
