/** The CLI for operators on this machine: which gateway its commands work on. */
import { existsSync } from 'node:fs';
import { readLogLevel } from '../lib/runtime/log.ts';
import { databaseDirectory, defaultDataDirectory, exitOnDamage } from '../local/database-files.ts';
import { type Installation, type Terminal, UsageError } from './command.ts';
import { openAws } from './installations/aws-access.ts';
import { openLocal } from './installations/local-installation.ts';
import { openStack } from './installations/stack-installation.ts';
import { namesTables, openTables } from './installations/table-installation.ts';
import { openUrl } from './installations/url-installation.ts';
import { processTerminal, runCommandLine, type SharedOptions } from './run.ts';

interface CliEnvironment {
  readonly variables: NodeJS.ProcessEnv;
  /** The file of environment variables that a local gateway reads when it starts. */
  readonly environmentFile?: string;
  readonly terminal: Terminal;
}

/** Runs a command line, without the name of the CLI; resolves with the exit code. */
export const runGateway = (typed: readonly string[], environment: CliEnvironment): Promise<number> =>
  runCommandLine(typed, {
    terminal: environment.terminal,
    variables: environment.variables,
    open: (options) => openInstallation(options, environment),
    openAws: (region) => openAws(region, environment.variables),
  });

async function openInstallation(options: SharedOptions, environment: CliEnvironment): Promise<Installation> {
  const { variables, environmentFile } = environment;
  const { url } = options;
  if (url !== undefined && options.stack !== undefined)
    throw new UsageError('Choose one gateway: --url or --stack.');
  if (url !== undefined) return openUrl(url, variables);
  const stack = options.stack ?? variables.GATEWAY_STACK;
  if (!stack && namesTables(variables)) return openTables(variables);
  if (!stack) {
    return openLocal({
      dataDirectory: variables.GATEWAY_DATA_DIR || defaultDataDirectory,
      variables,
      ...(environmentFile !== undefined && { environmentFile }),
    });
  }
  return await openStack(stack, options.region, variables);
}

if (import.meta.main) {
  // The local gateway reads the same file: both use the same data.
  const environmentFile = '.env';
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  await readLogLevel(process.env);
  exitOnDamage(databaseDirectory(process.env.GATEWAY_DATA_DIR || defaultDataDirectory));
  const environment = { variables: process.env, environmentFile, terminal: processTerminal };
  process.exitCode = await runGateway(process.argv.slice(2), environment);
}
