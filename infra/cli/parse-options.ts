/** How options are read from what was typed. */
import { parseArgs } from 'node:util';
import { type CommandOption, UsageError } from './command.ts';

type Known = Readonly<Record<string, CommandOption>>;

/** As `parseArgs` wants them. */
export const toParsed = (options: Known) =>
  Object.fromEntries(
    Object.entries(options).map(([key, { value }]) => [
      key,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );

/** Throws UsageError for an option that is not known, or that lacks its value. */
export function parseOptions(typed: readonly string[], known: Known) {
  try {
    return parseArgs({ args: [...typed], options: toParsed(known), allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error instanceof Error ? error.message : ''));
  }
}

/** The parser's own messages go on about what is not meant here. */
function explain(message: string): string {
  const [, option = ''] = /'(--?[^\s',]+)/.exec(message) ?? [];
  if (message.startsWith('Unknown option')) return `There is no option ${option}.`;
  const isMissing = /argument (missing|is ambiguous)/.test(message);
  return isMissing ? `The value of ${option} is missing; one that begins with a dash follows a =.` : message;
}

/** The options that were given a value, and those given without one. */
export function splitOptions(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values);
  return {
    options: Object.fromEntries(
      given.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    ) as Readonly<Record<string, string | undefined>>,
    flags: new Set(given.flatMap(([key, value]) => (value === true ? [key] : []))),
  };
}
