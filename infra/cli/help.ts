/** What the operator's tool says about itself. */
import type { Command, CommandOption } from './command.ts';

export const sharedOptions: Readonly<Record<string, CommandOption>> = {
  stack: {
    value: '<name>',
    description:
      'The deployed gateway to work on (or GATEWAY_STACK). Without it, the gateway on this machine',
  },
  region: { value: '<name>', description: 'The region of the stack (or AWS_REGION)' },
};

const tool = 'npm run gateway --';

export function describeTool(commands: readonly Command[]): string {
  const list = pairs(commands.map((command) => [invocation(command), command.summary]));
  return [
    `Usage: ${tool} <command> [options]`,
    '',
    'Commands:',
    ...list,
    '',
    'Options of every command:',
    ...optionLines(sharedOptions),
    '',
    `Data on this machine is in GATEWAY_DATA_DIR, .local by default. More on one command: ${tool} <command> --help`,
  ].join('\n');
}

export function describeCommand(command: Command): string {
  return [
    `Usage: ${tool} ${invocation(command)} [options]`,
    '',
    command.summary,
    '',
    'Options:',
    ...optionLines({ ...command.options, ...sharedOptions }),
  ].join('\n');
}

function invocation({ name, arguments: names, furtherArguments, options }: Command): string {
  const required = Object.entries(options).filter(([, option]) => option.required);
  const parts = [
    ...names.map((argument) => `<${argument}>`),
    ...(furtherArguments ? [`[${furtherArguments}…]`] : []),
    ...required.map(([key, option]) => typed(key, option)),
  ];
  return [name, ...parts].join(' ');
}

const typed = (key: string, { value }: CommandOption) =>
  value === undefined ? `--${key}` : `--${key} ${value}`;

/** Each option, and what it says of itself. */
export const optionLines = (options: Readonly<Record<string, CommandOption>>) =>
  pairs(Object.entries(options).map(([key, option]) => [typed(key, option), option.description]));

function pairs(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
