/** Parses the options of a command line, and explains what is wrong with them. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../lib/core/names/closest-name.ts';
import { type CommandOption, UsageError } from './command.ts';

type Known = Readonly<Record<string, CommandOption>>;
type Given = Readonly<Record<string, string | undefined>>;

/** In the form that `parseArgs` takes. */
export const toParsed = (options: Known) =>
  Object.fromEntries(
    Object.entries(options).map(([key, { value }]) => [
      key,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );

/** A minus sign that `parseArgs` does not take for the beginning of an option. */
const minus = '\u2212';

/** A negative amount that is an argument of its own, as in `adjust acme -5`, is no option. */
export const withAmounts = (typed: readonly string[]): string[] =>
  typed.map((word, index) =>
    /^-\d/.test(word) && !typed[index - 1]?.startsWith('--') ? `${minus}${word.slice(1)}` : word,
  );

/** The arguments as they were typed. */
const asTyped = (words: readonly string[]): readonly string[] =>
  words.map((word) => (word.startsWith(minus) ? `-${word.slice(1)}` : word));

/** Throws UsageError for an unknown option or a missing value. */
export function parseOptions(typed: readonly string[], known: Known) {
  try {
    const options = toParsed(known);
    const { values, positionals } = parseArgs({ args: withAmounts(typed), options, allowPositionals: true });
    const given = Object.entries(values);
    return {
      /** Those with a value. */
      options: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Given,
      flags: new Set(given.flatMap(([key, value]) => (value === true ? [key] : []))),
      positionals: asTyped(positionals),
    };
  } catch (error) {
    throw new UsageError(explain(error instanceof Error ? error.message : '', Object.keys(known)));
  }
}

/** The messages of `parseArgs` are long and speak of its own options. */
function explain(message: string, known: readonly string[]): string {
  const [, option = ''] = /'(--?[^\s',]+)/.exec(message) ?? [];
  if (message.startsWith('Unknown option')) {
    const suggestion = didYouMean(option.replace(/^-+/, ''), known, (name) => `--${name}`);
    return `Unknown option: ${option}.${suggestion}`;
  }
  if (/argument (missing|is ambiguous)/.test(message)) {
    return `${option} needs a value (write ${option}=-x if it starts with a dash).`;
  }
  return message.includes('does not take an argument') ? `${option} does not take a value.` : message;
}

/** Throws UsageError if a required option was not given, or is empty. */
export function requireOptions(known: Known, given: Given): void {
  const missing = Object.entries(known).filter(([key, { required }]) => required && !given[key]);
  if (missing.length === 0) return;
  const names = missing.map(([key, { value }]) => `--${key} ${value}`).join(', ');
  throw new UsageError(`Missing required option${missing.length > 1 ? 's' : ''}: ${names}`);
}
