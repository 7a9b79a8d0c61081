/** The help of the CLI, wrapped at the width of the terminal. */
import type { Command, CommandOption } from './command.ts';

export const sharedOptions: Readonly<Record<string, CommandOption>> = {
  stack: {
    value: '<name>',
    description:
      'Work on this deployed gateway (default: GATEWAY_STACK; without it, the one whose tables the environment names, or the gateway on this machine)',
  },
  url: {
    value: '<address>',
    description:
      'Work on the gateway at this address by its administration API, without AWS credentials: see `login`',
  },
  region: {
    value: '<name>',
    description: 'AWS region of the stack (default: of AWS_REGION, AWS_DEFAULT_REGION or the profile)',
  },
  help: { description: 'Show help' },
};

export const tool = 'npm run gateway --';

const defaultColumns = 80;
const widest = 120;

export function describeTool(commands: readonly Command[], columns?: number): string {
  return [
    `Usage: ${tool} <command> [options]`,
    '',
    'Commands:',
    ...pairs(
      commands.map(({ name, summary }) => [name, summary]),
      columns,
    ),
    '',
    'Options of every command:',
    ...optionLines(sharedOptions, columns),
    '',
    ...wrap(
      'Local data is in GATEWAY_DATA_DIR (default: .local). Exit codes: 0 success, 1 failure, 2 usage error.',
      columns,
    ),
    '',
    `For one command: ${tool} <command> --help`,
  ].join('\n');
}

export function describeCommand(command: Command, columns?: number): string {
  const { summary, description, options = {}, examples } = command;
  return [
    ...wrap(summary, columns),
    ...(description ? ['', ...wrap(description, columns)] : []),
    '',
    usageOf(command),
    ...(Object.keys(options).length > 0 ? ['', 'Options:', ...optionLines(options, columns)] : []),
    '',
    'Options of every command:',
    ...optionLines(sharedOptions, columns),
    '',
    'Examples:',
    ...examples.map((example) => `  ${tool} ${example}`),
  ].join('\n');
}

/** One line: how the command is written. */
export function usageOf(command: Command): string {
  const required = Object.entries(command.options ?? {})
    .filter(([, option]) => option.required)
    .map(([key, option]) => ` ${flagOf(key, option)}`);
  return `Usage: ${tool} ${nameWithArguments(command)}${required.join('')} [options]`;
}

function nameWithArguments({ name, arguments: names = [], furtherArguments }: Command): string {
  const required = names.map((argument) => `<${argument}>`);
  return [name, ...required, ...(furtherArguments ? [`[${furtherArguments}...]`] : [])].join(' ');
}

const flagOf = (key: string, { value }: CommandOption) =>
  value === undefined ? `--${key}` : `--${key} ${value}`;

/** Each option with its description. */
export const optionLines = (options: Readonly<Record<string, CommandOption>>, columns?: number) =>
  pairs(
    Object.entries(options).map(([key, option]) => [
      flagOf(key, option),
      option.required ? `${option.description} (required)` : option.description,
    ]),
    columns,
  );

/** The first column is at most this wide; the description of a longer name starts on the next line. */
const widestName = 34;

function pairs(rows: readonly (readonly [string, string])[], columns?: number): readonly string[] {
  const width = Math.max(...rows.map(([name]) => (name.length > widestName ? 0 : name.length)));
  const indent = ' '.repeat(width + 4);
  return rows.flatMap(([name, description]) => {
    const lines = wrap(description, (columns ?? defaultColumns) - indent.length);
    const [first = '', ...others] = lines;
    const rest = others.map((line) => indent + line);
    if (name.length > width) return [`  ${name}`, ...lines.map((line) => indent + line)];
    return [`  ${name.padEnd(width)}  ${first}`, ...rest];
  });
}

/** Breaks a text between words. A longer word gets a line of its own. */
export function wrap(text: string, columns = defaultColumns): readonly string[] {
  const width = Math.max(20, Math.min(columns, widest));
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
