/** Writes the calls of an answer in the caller's words: the names and kinds of tools that were sent as something else. */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Tool, ToolIdentity } from '../../core/generation/request.ts';
import { createInputReader, type InputReader } from './custom-input.ts';

/** Takes the events of one answer in their order. */
type RestoreCalls = (event: GenerationEvent) => readonly GenerationEvent[];

/** `tools`: as they were sent. Undefined where all of them were sent as the caller wrote them. */
export function restoreCalls(tools: readonly Tool[]): RestoreCalls | undefined {
  const originals = new Map(
    tools.flatMap((tool) => (tool.original ? [[keyOf(tool), { tool, original: tool.original }]] : [])),
  );
  if (originals.size === 0) return undefined;
  /** The calls of custom tools that were sent as functions. */
  const readers = new Map<string, Reading>();
  return (event) => {
    switch (event.type) {
      case 'tool-call': {
        const found = originals.get(keyOf(event));
        if (!found) return [event];
        const { type, choice, call, id } = event;
        const { original, tool } = found;
        if (original.kind === 'custom' && tool.kind === undefined) {
          readers.set(`${choice} ${call}`, { choice, call, reader: createInputReader() });
        }
        return [{ type, choice, call, id, ...original }];
      }
      case 'tool-arguments': {
        const reading = readers.get(`${event.choice} ${event.call}`);
        return reading ? readOn(reading, event.text) : [event];
      }
      case 'finish':
        return [...[...readers.values()].flatMap((one) => endReading(one, event.choice)), event];
      default:
        return [event];
    }
  };
}

const keyOf = ({ name, namespace = '' }: ToolIdentity) => JSON.stringify([namespace, name]);

interface Reading {
  readonly choice: number;
  readonly call: number;
  readonly reader: InputReader;
}

function readOn({ choice, call, reader }: Reading, json: string): readonly GenerationEvent[] {
  const wasComplete = reader.isComplete();
  const text = reader.add(json);
  return [
    ...(text === '' ? [] : [{ type: 'tool-arguments', choice, call, text } as const]),
    ...(reader.isComplete() && !wasComplete ? [{ type: 'tool-call-end', choice, call } as const] : []),
  ];
}

function endReading({ choice, call, reader }: Reading, ended: number): readonly GenerationEvent[] {
  const text = choice === ended ? reader.end() : '';
  return text === '' ? [] : [{ type: 'tool-arguments', choice, call, text }];
}
