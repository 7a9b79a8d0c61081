/** The events of one choice that are held until its texts were looked at. */

import { isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { type Piece, pieceOf, withText, withTexts } from './answer-texts.ts';
import { type Channel, createChannel, type FoundRange } from './channel.ts';
import { type Edit, edited } from './edits.ts';
import { walkJson } from './walk-json.ts';

type ChoiceEvent = Extract<GenerationEvent, { readonly choice: number }>;

/** Events that leave together. */
interface Held {
  events: readonly GenerationEvent[];
  /** What must have been looked at before. */
  readonly pieces: { readonly channel: Channel; length: number }[];
  /** Texts that stand for themselves; looked at once. */
  readonly texts: readonly string[];
  isPassed: boolean;
}

/** A text to inspect, and the callback for what is found in it. */
export interface Asked {
  readonly text: string;
  readonly found: (ranges: readonly FoundRange[]) => void;
  /** Whether a finding counts: what has left already was found before. */
  readonly isNew: (range: { readonly end: number }) => boolean;
}

export type HeldChoice = ReturnType<typeof createHeldChoice>;

export function createHeldChoice(tagFor: (label: string, value: string) => string) {
  const queue: Held[] = [];
  /** Of it, with texts that were not looked at. */
  const waiting = new Set<Held>();
  const channels = new Map<string, Channel>();
  /** The provider's items that have ended. */
  const ended = new Set<number>();
  let isFinished = false;
  /** An event of the provider's own protocol, and those that it means. */
  let group: Held | undefined;

  const channelOf = ({ channel, isJson }: Piece): Channel => {
    const known = channels.get(channel);
    if (known) return known;
    const created = createChannel(isJson === true);
    channels.set(channel, created);
    return created;
  };
  const hold = (event: GenerationEvent): Held => {
    const entry: Held = { events: [event], pieces: [], texts: textsOf(event), isPassed: false };
    queue.push(entry);
    if (entry.texts.length > 0) waiting.add(entry);
    return entry;
  };
  const pass = (entry: Held) => {
    entry.isPassed = true;
    waiting.delete(entry);
  };
  const addPiece = (entry: Held, event: GenerationEvent) => {
    const piece = pieceOf(event);
    if (!piece) return;
    const channel = channelOf(piece);
    channel.add(piece.text);
    entry.pieces.push({ channel, length: piece.text.length });
  };
  /** Of an event in pieces, as much as may leave. */
  const split = (entry: Held, out: GenerationEvent[]): boolean => {
    const [event, ...others] = entry.events;
    const [piece] = entry.pieces;
    if (!event || !piece || others.length > 0) return false;
    const length = Math.min(piece.length, piece.channel.mayLeave());
    const text = length > 0 ? piece.channel.take(length) : '';
    if (text !== '') out.push(withText(event, text));
    const rest = pieceOf(event)?.text.slice(length) ?? '';
    piece.length -= length;
    entry.events = [withText(event, rest)];
    return piece.length === 0;
  };
  const isOpen = ({ events }: Held): boolean =>
    !isFinished &&
    events.some(
      (event) => event.type === 'tool-call' || (event.type === 'protocol-item' && !ended.has(event.item)),
    );
  const leaves = (entry: Held, out: GenerationEvent[]): boolean => {
    if (entry.texts.length > 0 && !entry.isPassed) return false;
    if (entry.events.length === 1 && entry.pieces.length === 1) return split(entry, out);
    const needed = Map.groupBy(entry.pieces, ({ channel }) => channel);
    const areSeen = [...needed].every(
      ([channel, pieces]) => pieces.reduce((sum, { length }) => sum + length, 0) <= channel.mayLeave(),
    );
    if (!areSeen) return false;
    for (const { channel, length } of entry.pieces) channel.take(length);
    for (const event of entry.events) out.push(event);
    return true;
  };
  return {
    isFinished: () => isFinished,
    add(event: ChoiceEvent) {
      if (event.type === 'protocol-item-end') ended.add(event.item);
      if (event.type === 'finish') isFinished = true;
      if (event.type === 'upstream') {
        group = hold(event);
        return;
      }
      const entry = group ?? hold(event);
      if (group) group.events = [...group.events, event];
      // A body that came as one is looked at as it is, with what no event means.
      if (group && hasBody(group)) return;
      if (group && pieceOf(event)) pass(group);
      addPiece(entry, event);
    },
    /** Characters that were not looked at, of what is not held to the end. */
    unseen() {
      const inPieces = [...channels.values()].filter(({ isJson }) => !isJson).map(({ unseen }) => unseen());
      const alone = [...waiting].flatMap(({ texts }) => texts.map(({ length }) => length));
      return [...inPieces, ...alone].reduce((sum, length) => sum + length, 0);
    },
    /** What is to be looked at now; with `isLast` everything. */
    asked(isLast: boolean): readonly Asked[] {
      const open = [...channels.values()].filter(
        (channel) => isLast || (!channel.isJson && channel.unseen() > 0),
      );
      const ofChannels = open.map((channel) => ({
        text: channel.text(),
        isNew: (range: { readonly end: number }) => !channel.isOld(range),
        found: (ranges: readonly FoundRange[]) => channel.looked(ranges, isLast, tagFor),
      }));
      return [...ofChannels, ...[...waiting].flatMap((entry) => askedOf(entry, tagFor, pass))];
    },
    /** Gives what may leave: calls only together with the end of the answer, items of the provider's only whole. */
    release(out: GenerationEvent[]) {
      while (queue[0] && !isOpen(queue[0]) && leaves(queue[0], out)) queue.shift();
    },
    /** The answer ends here: a call or an item that has not left is dropped whole. */
    cut() {
      isFinished = false;
      ended.clear();
    },
    /** The body that the provider sent, where it is one and has not left. */
    wholeBody(): JsonObject | undefined {
      const [event] = queue[0]?.events ?? [];
      return event?.type === 'upstream' && isJsonObject(event.data) ? event.data : undefined;
    },
  };
}

function textsOf(event: GenerationEvent): readonly string[] {
  const texts: string[] = [];
  const look = (text: string) => {
    if (text !== '') texts.push(text);
    return text;
  };
  if (event.type === 'upstream') {
    if (event.isContent) walkJson(dataOf(event), '', look);
  } else withTexts(event, look);
  return texts;
}

const hasBody = ({ events: [event] }: Held): boolean =>
  event?.type === 'upstream' && isJsonObject(event.data);

const dataOf = ({ data }: Extract<GenerationEvent, { readonly type: 'upstream' }>): unknown =>
  isJsonObject(data) ? data : parseJson(data);

/** Each text of the event by itself. When the last one was looked at, the event may leave, with its edits. */
function askedOf(
  entry: Held,
  tagFor: (label: string, value: string) => string,
  pass: (entry: Held) => void,
): readonly Asked[] {
  const edits = new Map<number, readonly Edit[]>();
  let left = entry.texts.length;
  return entry.texts.map((text, index) => ({
    text,
    isNew: () => true,
    found(ranges) {
      const own = ranges.filter(({ isRedacted }) => isRedacted);
      if (own.length > 0) {
        edits.set(
          index,
          own.map(({ start, end, label }) => ({ start, end, text: tagFor(label, text.slice(start, end)) })),
        );
      }
      left -= 1;
      if (left > 0) return;
      pass(entry);
      if (edits.size === 0) return;
      let position = 0;
      entry.events = entry.events.flatMap((event) => {
        const changed = withTexts(event, (one) => {
          if (one === '') return one;
          const replaced = edited(one, edits.get(position) ?? []);
          position += 1;
          return replaced;
        });
        return changed ?? [];
      });
    },
  }));
}
