/** The CLI in the container image: it works on the tables that the environment names, and on no other gateway. */
import { readLogLevel } from '../lib/runtime/log.ts';
import { UsageError } from './command.ts';
import { openTables } from './installations/table-installation.ts';
import { processTerminal, runCommandLine } from './run.ts';

await readLogLevel(process.env);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  terminal: processTerminal,
  variables: process.env,
  openAws: async () => {
    throw new UsageError('This command needs the CLI of the project: npm run gateway.');
  },
  open: async ({ stack }) => {
    if (stack !== undefined) throw new UsageError('--stack needs the CLI of the project: npm run gateway.');
    return openTables(process.env);
  },
});
