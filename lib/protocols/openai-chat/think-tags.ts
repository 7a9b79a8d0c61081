/**
 * Reasoning in `<think>` tags at the start of the content, as sent by hosts that do not separate it. The tags may be split
 * between two chunks of a stream. Later tags are plain text.
 */

export interface ThinkState {
  at: 'head' | 'thinking' | 'behind' | 'text';
  /** Text that may be a part of a tag. */
  held: string;
}

export interface Thought {
  readonly type: 'reasoning' | 'text';
  readonly text: string;
}

const [open, close] = ['<think>', '</think>'];

/** More white space than this before the content is content. In characters. */
const maxBlank = 1_000;

export const newThinkState = (): ThinkState => ({ at: 'head', held: '' });

/** Splits one more piece of content. Emits nothing while it is unclear what it is. */
export function* splitThought(state: ThinkState, piece: string): Generator<Thought> {
  state.held += piece;
  if (state.at === 'head') readHead(state);
  if (state.at === 'thinking') yield* readThinking(state);
  if (state.at === 'behind') readBehind(state);
  if (state.at === 'text' && state.held !== '') yield { type: 'text', text: take(state) };
}

/** Text held back until the end: an unfinished tag is plain text. */
export function* endThought(state: ThinkState): Generator<Thought> {
  const text = take(state);
  if (text !== '' && state.at !== 'behind') {
    yield { type: state.at === 'thinking' ? 'reasoning' : 'text', text };
  }
}

function take(state: ThinkState): string {
  const { held } = state;
  state.held = '';
  return held;
}

function readHead(state: ThinkState): void {
  const text = state.held.trimStart();
  if (text.startsWith(open)) {
    state.at = 'thinking';
    state.held = text.slice(open.length);
  } else if (!open.startsWith(text) || state.held.length > maxBlank) state.at = 'text';
}

function* readThinking(state: ThinkState): Generator<Thought> {
  const end = state.held.indexOf(close);
  const sure = end < 0 ? state.held.length - cutTag(state.held) : end;
  const text = state.held.slice(0, sure);
  if (text !== '') yield { type: 'reasoning', text };
  state.held = state.held.slice(end < 0 ? sure : end + close.length);
  if (end >= 0) state.at = 'behind';
}

/** The blank lines between the tag and the answer belong to neither. */
function readBehind(state: ThinkState): void {
  state.held = state.held.trimStart();
  if (state.held !== '') state.at = 'text';
}

/** The number of characters at the end that may be the start of the closing tag. */
function cutTag(text: string): number {
  for (let length = close.length; length > 0; length--) {
    if (text.endsWith(close.slice(0, length))) return length;
  }
  return 0;
}
