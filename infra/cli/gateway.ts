/**
 * The operator's tool: finds the command that was typed, checks how, runs it, and says how it went. Exit code 0: done,
 * 1: it failed, 2: it was typed wrongly.
 */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { AwsError } from '../../lib/core/ports.ts';
import { type Command, type Installation, type Terminal, UsageError } from './command.ts';
import { describeCommand, describeTool, sharedOptions } from './help.ts';
import { keysCreate } from './keys-create.ts';
import { keysDisable } from './keys-disable.ts';
import { keysList } from './keys-list.ts';
import { openLocal } from './local-installation.ts';
import { providersSet, providersSetKey } from './providers-set.ts';
import { openStack } from './stack-installation.ts';

const commands: readonly Command[] = [keysCreate, keysList, keysDisable, providersSet, providersSetKey];

export interface Surroundings {
  readonly variables: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}

/** Runs what was typed, without the name of the tool; resolves with the exit code. */
export async function runGateway(typed: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const asked = wordsOf(typed).slice(0, 2).join(' ');
  const command = commands.find(({ name }) => name === asked);
  if (typed.includes('--help') || typed.includes('-h')) {
    terminal.write(command ? describeCommand(command) : describeTool(commands));
    return 0;
  }
  try {
    if (!command) throw new UsageError(asked ? `There is no command ${asked}.` : 'No command was given.');
    await runCommand(command, typed, surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      terminal.tell(`Error: ${describeError(error)}`);
      return 1;
    }
    terminal.tell(`Error: ${error.message}`);
    terminal.tell(command ? describeCommand(command) : describeTool(commands));
    return 2;
  }
}

/** What was typed besides options and their values, whichever comes first. */
function wordsOf(typed: readonly string[]): readonly string[] {
  const keys = commands.flatMap(({ options }) => Object.keys(options));
  return parseArgs({
    args: [...typed],
    options: textOptions([...Object.keys(sharedOptions), ...keys]),
    strict: false,
  }).positionals;
}

const textOptions = (keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, { type: 'string' as const }]));

async function runCommand(
  command: Command,
  typed: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const { variables, terminal } = surroundings;
  const { options, words } = parse(command, typed);
  await command.run({
    arguments: words,
    options,
    terminal,
    open: () => openInstallation(options, variables),
  });
}

type Options = Readonly<Record<string, string | undefined>>;

function parse(command: Command, typed: readonly string[]): { options: Options; words: readonly string[] } {
  const known = { ...sharedOptions, ...command.options };
  const { values, positionals } = parseOrExplain(typed, Object.keys(known));
  const words = positionals.slice(command.name.split(' ').length);
  const missing = command.arguments[words.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  const [extra] = words.slice(command.arguments.length);
  if (extra !== undefined) throw new UsageError(`What is ${extra}? ${command.name} takes no such argument.`);
  for (const [key, { required }] of Object.entries(known)) {
    if (required && !values[key]) throw new UsageError(`--${key} is missing.`);
  }
  return { options: values, words };
}

function parseOrExplain(typed: readonly string[], keys: readonly string[]) {
  try {
    return parseArgs({ args: [...typed], options: textOptions(keys), allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options could not be read.');
  }
}

async function openInstallation(options: Options, variables: NodeJS.ProcessEnv): Promise<Installation> {
  const stack = options.stack ?? variables.GATEWAY_STACK;
  if (!stack) return await openLocal(variables.GATEWAY_DATA_DIR || '.local');
  return await openStack({ stack, region: options.region ?? variables.AWS_REGION, variables });
}

function describeError(error: unknown): string {
  if (error instanceof AwsError && error.type === 'ResourceNotFoundException') {
    return 'There is no data of a gateway here yet. On this machine, npm start makes it.';
  }
  if (error instanceof AwsError) return `${error.type}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

const terminal: Terminal = {
  write: (line) => console.log(line),
  tell: (line) => console.error(line),
  readValue: async () => {
    if (!process.stdin.isTTY) return await text(process.stdin);
    console.error('Paste the value and press Enter:');
    for await (const line of createInterface({ input: process.stdin })) return line;
    return '';
  },
};

if (import.meta.main) {
  // As the local gateway does, so that both mean the same data.
  if (existsSync('.env')) process.loadEnvFile('.env');
  process.exitCode = await runGateway(process.argv.slice(2), { variables: process.env, terminal });
}
