/** What was typed after `npm run deploy --` or `npm run destroy --`. */
export interface Typed {
  /** `-c name=value`. */
  readonly context: ReadonlyMap<string, string>;
  /** Options of our own. */
  readonly flags: ReadonlySet<string>;
  /** All other words: the CDK's. */
  readonly rest: readonly string[];
}

const contextOption = /^(?:-c|--context)(?:=(.*))?$/s;

/** `flags` are the names of options without a value that the CDK does not have. Throws an Error for a `-c` without a value. */
export function readTyped(words: readonly string[], flags: readonly string[]): Typed {
  const context = new Map<string, string>();
  const given = new Set<string>();
  const rest: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option = contextOption.exec(word);
    if (option) context.set(...parse(option[1] ?? left.shift()));
    else if (flags.includes(word)) given.add(word);
    else rest.push(word);
  }
  return { context, flags: given, rest };
}

function parse(setting: string | undefined): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting ?? '') ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new Error(`-c needs a setting, such as -c ledgerDays=400, and not "${setting ?? ''}".`);
}

/** The words of the settings again. */
export const contextWords = (context: ReadonlyMap<string, string>): readonly string[] =>
  [...context].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Of the words for the CDK, those that choose a profile, with which it signs in. */
export function profileWords(rest: readonly string[]): readonly string[] {
  const profile = profileOf(rest);
  return profile === undefined ? [] : ['--profile', profile];
}

export function profileOf(rest: readonly string[]): string | undefined {
  const index = rest.indexOf('--profile');
  if (index >= 0) return rest[index + 1];
  return rest.find((word) => word.startsWith('--profile='))?.slice('--profile='.length);
}
