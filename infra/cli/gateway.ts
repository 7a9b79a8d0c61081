/**
 * The operator's tool: finds the command that was typed, checks how, runs it, and says how it went. Exit code 0: done,
 * 1: it failed, 2: it was typed wrongly.
 */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { AwsError } from '../../lib/core/ports.ts';
import { catalogLint } from './catalog/catalog-lint.ts';
import { catalogList } from './catalog/catalog-list.ts';
import { catalogSetPrice } from './catalog/catalog-set-price.ts';
import { catalogSetStatus } from './catalog/catalog-set-status.ts';
import { catalogShow } from './catalog/catalog-show.ts';
import { catalogSync } from './catalog/catalog-sync.ts';
import { type Command, type Installation, type Terminal, UsageError } from './command.ts';
import { describeCommand, describeTool, sharedOptions } from './help.ts';
import { openLocal } from './installations/local-installation.ts';
import { openStack } from './installations/stack-installation.ts';
import { keysCreate } from './keys/keys-create.ts';
import { keysDisable } from './keys/keys-disable.ts';
import { keysList } from './keys/keys-list.ts';
import { keysRotate } from './keys/keys-rotate.ts';
import { keysShow } from './keys/keys-show.ts';
import { parseOptions, splitOptions, toParsed } from './parse-options.ts';
import { providersList } from './providers/providers-list.ts';
import { providersSet, providersSetKey } from './providers/providers-set.ts';
import { limitsShow } from './tenants/limits-show.ts';
import { keysSetLimits, tenantsSetLimits } from './tenants/set-limits.ts';
import {
  keysSetModels,
  keysSetOperations,
  tenantsSetModels,
  tenantsSetOperations,
} from './tenants/set-permissions.ts';
import { tenantsAddCredit } from './tenants/tenants-add-credit.ts';
import { tenantsCreate } from './tenants/tenants-create.ts';
import { tenantsList, tenantsShow } from './tenants/tenants-list.ts';
import { tenantsActivate, tenantsSuspend } from './tenants/tenants-suspend.ts';
import { usageRecompute } from './usage/usage-recompute.ts';
import { usageReconcile } from './usage/usage-reconcile.ts';
import { usageReplay } from './usage/usage-replay.ts';
import { usageShow } from './usage/usage-show.ts';

const commands: readonly Command[] = [
  tenantsCreate,
  tenantsList,
  tenantsShow,
  tenantsSetLimits,
  tenantsAddCredit,
  tenantsSetModels,
  tenantsSetOperations,
  tenantsSuspend,
  tenantsActivate,
  keysCreate,
  keysList,
  keysShow,
  keysSetLimits,
  keysSetModels,
  keysSetOperations,
  keysRotate,
  keysDisable,
  limitsShow,
  usageShow,
  usageRecompute,
  usageReconcile,
  usageReplay,
  catalogList,
  catalogShow,
  catalogSetStatus,
  catalogSetPrice,
  catalogLint,
  catalogSync,
  providersList,
  providersSet,
  providersSetKey,
];

export interface Surroundings {
  readonly variables: NodeJS.ProcessEnv;
  /** The file of environment variables that a local gateway reads when it starts. */
  readonly environmentFile?: string;
  readonly terminal: Terminal;
}

/** Runs what was typed, without the name of the tool; resolves with the exit code. */
export async function runGateway(typed: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const words = wordsOf(typed).slice(0, 2);
  const asked = words.join(' ');
  const command = commands.find(({ name }) => name === asked);
  const help = () => (command ? describeCommand(command) : describeTool(commandsOf(words)));
  if (typed.includes('--help') || typed.includes('-h')) {
    terminal.write(help());
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
    terminal.tell(help());
    return 2;
  }
}

/** Those that begin with the first word; all, where none does. */
function commandsOf([noun]: readonly string[]): readonly Command[] {
  const own = commands.filter(({ name }) => name.split(' ')[0] === noun);
  return own.length > 0 ? own : commands;
}

/** What was typed besides options and their values, whichever comes first. */
function wordsOf(typed: readonly string[]): readonly string[] {
  const known = Object.assign({}, sharedOptions, ...commands.map(({ options }) => options));
  return parseArgs({ args: [...typed], options: toParsed(known), strict: false }).positionals;
}

async function runCommand(
  command: Command,
  typed: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const { terminal } = surroundings;
  const { options, flags, words } = parse(command, typed);
  await command.run({
    arguments: words,
    options,
    flags,
    terminal,
    open: () => openInstallation(options, surroundings),
  });
}

type Options = Readonly<Record<string, string | undefined>>;

interface Parsed {
  readonly options: Options;
  readonly flags: ReadonlySet<string>;
  readonly words: readonly string[];
}

function parse(command: Command, typed: readonly string[]): Parsed {
  const known = { ...sharedOptions, ...command.options };
  const { values, positionals } = parseOptions(typed, known);
  const words = positionals.slice(command.name.split(' ').length);
  const missing = command.arguments[words.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  const [extra] = command.furtherArguments ? [] : words.slice(command.arguments.length);
  if (extra !== undefined) throw new UsageError(`What is ${extra}? ${command.name} takes no such argument.`);
  for (const [key, { required }] of Object.entries(known)) {
    if (required && !values[key]) throw new UsageError(`--${key} is missing.`);
  }
  return { ...splitOptions(values), words };
}

async function openInstallation(options: Options, surroundings: Surroundings): Promise<Installation> {
  const { variables, environmentFile } = surroundings;
  const stack = options.stack ?? variables.GATEWAY_STACK;
  if (!stack) {
    return await openLocal({
      dataDirectory: variables.GATEWAY_DATA_DIR || '.local',
      variables,
      ...(environmentFile !== undefined && { environmentFile }),
    });
  }
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
  const environmentFile = '.env';
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  const surroundings = { variables: process.env, environmentFile, terminal };
  process.exitCode = await runGateway(process.argv.slice(2), surroundings);
}
