/** Parses a regular expression as far as a test needs that makes texts from its parts. */

export type Part =
  /** Any of some characters. */
  | { readonly type: 'characters'; readonly sample: readonly string[] }
  | { readonly type: 'sequence'; readonly parts: readonly Part[] }
  | { readonly type: 'choice'; readonly options: readonly Part[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly least: number; readonly most: number }
  /** What matches no characters, or those of an earlier group. */
  | { readonly type: 'nothing' };

/** What characters of sets are chosen from: letters that words in patterns have, digits, white space, signs. */
const pool = [...' \t\naezAZ019.-_/:"\'`,;=+*@%#[](){}<>|\\!?$&^~éñ日\u0000'];

export function parsePattern(source: string, flags: string): Part {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern.source, 'sy');
    sticky.lastIndex = at;
    const found = sticky.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
  };

  const matching = (raw: string): Part => {
    const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
    const literal = raw.length === 1 ? [raw] : raw.length === 2 && raw.startsWith('\\') ? [raw.slice(1)] : [];
    const sample = [...new Set([...literal, ...raw, ...pool])].filter((character) => one.test(character));
    return { type: 'characters', sample };
  };

  const choice = (): Part => {
    const options = [sequence()];
    while (take(/\|/)) options.push(sequence());
    return options.length === 1 && options[0] ? options[0] : { type: 'choice', options };
  };

  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()));
    return { type: 'sequence', parts };
  };

  const atom = (): Part => {
    if (take(/\^|\$|\\[bB]/)) return { type: 'nothing' };
    if (take(/\\[1-9]\d*|\\k<[^>]*>/)) return { type: 'nothing' };
    if (take(/\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]+:))?/)) {
      const inner = choice();
      take(/\)/);
      return inner;
    }
    const set = take(/\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|./) ?? '';
    return matching(set);
  };

  const quantified = (part: Part): Part => {
    const sign = take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/);
    if (sign === undefined) return part;
    if (sign.startsWith('*')) return { type: 'repeat', part, least: 0, most: Infinity };
    if (sign.startsWith('+')) return { type: 'repeat', part, least: 1, most: Infinity };
    if (sign.startsWith('?')) return { type: 'repeat', part, least: 0, most: 1 };
    const [least = 0, most] = sign.replace(/[{}?]/g, '').split(',').map(Number);
    return { type: 'repeat', part, least, most: most === undefined ? least : most === 0 ? Infinity : most };
  };

  return choice();
}
