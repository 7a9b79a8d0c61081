/** One text of an answer that comes in pieces: what is held of it, and what may leave. */
import { type Edit, edited, joinRanges } from './edits.ts';
import { withoutEscapes } from './readable.ts';

/**
 * How much of what was looked at is held, so that a match that the next piece completes has not left in part; and how much of what has
 * left is looked at beside it. In characters.
 */
const held = 200;
const context = 64;

/** An unfinished match is held no longer. In characters. */
const maxHeld = 2_000;

export interface FoundRange {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly isRedacted: boolean;
  /** Whether its detector said where it is, and not only that it is in the text. */
  readonly isPlaced: boolean;
}

interface ChannelEdit extends Edit {
  readonly isPlaced: boolean;
}

export type Channel = ReturnType<typeof createChannel>;

export function createChannel(isJson: boolean) {
  let unreleased = '';
  let before = '';
  /** How much of the unreleased text may leave. */
  let limit = 0;
  let edits: readonly ChannelEdit[] = [];
  let unseen = 0;
  /** Where in `before` a match begins whose end has not left: a tag stands for it already. */
  let begun: number | undefined;
  /** `cut`: what begins in what has left, and goes on. It is found again only from its beginning on. */
  const keep = (raw: string, cut: ChannelEdit | undefined) => {
    const whole = before + raw;
    const start = cut?.text === '' ? begun : cut && before.length + cut.start;
    const from = Math.min(start ?? whole.length, Math.max(0, whole.length - context));
    before = isJson ? '' : whole.slice(from);
    begun = start === undefined ? undefined : start - from;
  };
  return {
    isJson,
    add(text: string) {
      unreleased += text;
      unseen += text.length;
    },
    /** Characters that were not looked at. */
    unseen: () => unseen,
    /** As detectors read it, with what was before. */
    text: () => before + (isJson ? withoutEscapes(unreleased).text : unreleased),
    /** Whether a finding is of what has left already, and was found before. */
    isOld: ({ end }: { readonly end: number }) => end <= before.length,
    /** What was found in `text`; `isLast`: nothing follows. */
    looked(ranges: readonly FoundRange[], isLast: boolean, tagFor: (label: string, value: string) => string) {
      const { text, at } = isJson ? withoutEscapes(unreleased) : { text: unreleased, at: same };
      const own = joinRanges(ranges.filter(({ isRedacted }) => isRedacted))
        .map((range) => ({
          ...range,
          isContinued: begun !== undefined && range.start <= begun,
          start: Math.max(0, range.start - before.length),
          end: Math.min(text.length, range.end - before.length),
        }))
        .filter(({ start, end }) => end > start);
      const most = isLast ? text.length : Math.max(0, text.length - held);
      const open = isLast
        ? undefined
        : own.find(({ start, end }) => end === text.length || (start < most && end > most));
      const until = open && text.length - open.start <= maxHeld ? Math.min(most, open.start) : most;
      limit = at(until);
      edits = own
        .filter(({ start }) => start < until)
        .map(({ start, end, label, isContinued, isPlaced }) => ({
          start: at(start),
          end: at(end),
          isPlaced,
          text: isContinued ? '' : tagFor(label, text.slice(start, end)),
        }));
      unseen = 0;
    },
    /** Everything may leave. */
    open() {
      limit = unreleased.length;
    },
    mayLeave: () => limit,
    /** The next characters as they may leave. An edit stands where it begins. */
    take(length: number): string {
      const leaving = edits.filter(({ start }) => start < length);
      const own = leaving.map((edit) => ({ ...edit, end: Math.min(edit.end, length) }));
      const cut = leaving.find(({ end, isPlaced }) => isPlaced && end > length);
      const raw = unreleased.slice(0, length);
      edits = edits
        .filter(({ end }) => end > length)
        .map((edit) => ({
          ...edit,
          start: Math.max(0, edit.start - length),
          end: edit.end - length,
          text: edit.start < length ? '' : edit.text,
        }));
      unreleased = unreleased.slice(length);
      limit -= length;
      keep(raw, cut);
      return edited(raw, own);
    },
  };
}

const same = (position: number) => position;
