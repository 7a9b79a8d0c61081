/** What was typed after `npm run deploy --` or `npm run destroy --`. */
export interface Typed {
  /** `-c name=value`. */
  readonly context: ReadonlyMap<string, string>;
  /** Options of our own. */
  readonly flags: ReadonlySet<string>;
  /** All other words: the CDK's. */
  readonly rest: readonly string[];
}

/** All that the CDK takes: `-c a=1`, `-ca=1`, `-c=a=1`, `--context a=1`, `--context=a=1`. */
const contextOption = /^(?:-c|--context)$|^(?:--context=|-c=?)(.+)$/s;

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

/** The CDK's own options that choose the account and the region. */
const placeOptions = ['--profile', '--region'] as const;

/** Of the words for the CDK, those that choose the account and the region. */
export const placeWords = (rest: readonly string[]): readonly string[] =>
  placeOptions.flatMap((option) => {
    const value = optionOf(option, rest);
    return value === undefined ? [] : [option, value];
  });

export const profileOf = (rest: readonly string[]) => optionOf('--profile', rest);

export const regionOf = (rest: readonly string[]) => optionOf('--region', rest);

function optionOf(option: (typeof placeOptions)[number], rest: readonly string[]): string | undefined {
  const index = rest.indexOf(option);
  if (index >= 0) return rest[index + 1];
  return rest.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

/** Of the words for the CDK, those that choose neither the account nor the region. */
export const otherWords = (rest: readonly string[]): readonly string[] =>
  rest.filter(
    (word, index) =>
      !placeOptions.some(
        (option) => word === option || word.startsWith(`${option}=`) || rest[index - 1] === option,
      ),
  );
