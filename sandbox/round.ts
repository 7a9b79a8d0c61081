/**
 * Finds what the user asked for last, and how many times the model has called tools since: the same for every protocol.
 *
 * Agents write more than the user's words: blocks between `<system-reminder>` tags beside them (Claude Code), instructions between
 * turns, which come in `<system>` tags where a protocol has no such role, and texts or images after the results of tools. These
 * continue a round; only a command among them begins a new one.
 */

/** A message as far as rounds are concerned. */
export interface Turn {
  readonly from: 'user' | 'model' | 'other';
  readonly text: string;
  /** Whether it calls tools, or has their results. */
  readonly calls?: boolean;
  readonly results?: boolean;
}

interface Round {
  /** What the user said last. */
  readonly lastUserText: string;
  /** The words that commands are read from. */
  readonly task: string;
  readonly callRounds: number;
}

/** Two words that prompts of agents do not have in a row, and the function's name, quoted or not. */
export const command = /\b(then\s+)?sandbox call ["'`]?([\w.:/-]*\w)["'`]?\s*/gi;

export function roundOf(turns: readonly Turn[]): Round {
  const said = turns.map(({ from, text }) => (from === 'user' ? withoutReminders(text) : ''));
  const asks = (text: string) => text.search(command) >= 0;
  const begin = turns.findLastIndex(
    ({ from, text, results }, index) =>
      from === 'user' &&
      (asks(said[index] ?? '') || !(results || followsResults(turns, index))) &&
      (said[index] !== '' || text === ''),
  );
  // A reminder alone, or an image, asks for nothing.
  const last = said.findLast((text) => text.trim() !== '') ?? '';
  const task = begin < 0 ? '' : (said[begin] ?? '');
  return {
    lastUserText: last,
    task,
    callRounds: turns.slice(begin + 1).filter(({ calls }) => calls).length,
  };
}

/** What the last message of the model was answered with, up to `index`, has results of tools. */
function followsResults(turns: readonly Turn[], index: number): boolean {
  const from = turns.slice(0, index).findLastIndex((turn) => turn.from === 'model') + 1;
  return turns.slice(from, index).some(({ results }) => results);
}

const wrappers = ['system-reminder', 'system'];

function withoutReminders(text: string): string {
  const rest = wrappers.reduce(withoutBlocks, text);
  return rest.trim() === '' ? '' : rest;
}

/** Without what stands between the tags of this name, and the space after it. */
function withoutBlocks(text: string, name: string): string {
  const [before = '', ...pieces] = text.split(`<${name}>`);
  return pieces.reduce((kept, piece) => {
    const end = piece.indexOf(`</${name}>`);
    return end < 0 ? `${kept}<${name}>${piece}` : kept + piece.slice(end + name.length + 3).trimStart();
  }, before);
}
