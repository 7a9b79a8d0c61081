/** `catalog compare`: compares the models with a public price file, and lists the differences that matter. */
import { seedRows } from '../../infra/catalog/seed.ts';
import { type Command, type CommandContext, type Output, UsageError, withInstallation } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { type Comparison, compareWithFile } from './compare/compare.ts';
import { readPriceFile } from './compare/litellm.ts';
import { dayPattern } from './compare/public-deployment.ts';

export const catalogCompare: Command = {
  name: 'catalog compare',
  summary: 'Compare prices, limits and ends with a public price file',
  description:
    'Reads the price file of LiteLLM. Lists the differences without a reason in the row (`differs`), and reasons whose difference is gone. Exit code 1 if there is one.',
  arguments: ['file'],
  options: {
    ...jsonOption,
    installed: { description: 'Compare the catalog of the gateway, not the models that ship with it' },
    missing: { description: 'List the active models of the file that the catalog lacks, and nothing else' },
    at: { value: '<date>', description: 'Compare the prices of this day (default: today)' },
  },
  examples: [
    'catalog compare model_prices_and_context_window.json',
    'catalog compare model_prices_and_context_window.json --missing',
    'catalog compare model_prices_and_context_window.json --installed --stack ModelGateway',
  ],
  async run({ arguments: [path = ''], flags, options, terminal, format, ...context }) {
    const at = readDay(options.at);
    const file = await readPriceFile(path);
    const rows = await rowsOf(flags.has('installed'), context);
    const comparison = compareWithFile(rows, file, at);
    if (flags.has('missing')) {
      const missing = comparison.missing.map(({ provider, key }) => ({ provider, key }));
      return writeListing({ terminal, format }, missing);
    }
    const differences = comparison.differences.map((one) => ({ ...one }));
    writeListing({ terminal, format }, differences, ['model', 'deployment', 'field', 'here', 'there']);
    summarize(terminal, comparison);
    const { length } = differences;
    if (length > 0)
      throw new Error(`${length} ${length === 1 ? 'difference has' : 'differences have'} no reason.`);
  },
};

function readDay(text: string | undefined): string {
  if (text === undefined) return new Date().toISOString().slice(0, 10);
  if (dayPattern.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(`--at must be a date such as 2027-01-01, not ${text}.`);
}

async function rowsOf(
  installed: boolean,
  context: Pick<CommandContext, 'open'>,
): Promise<readonly unknown[]> {
  if (!installed) return seedRows;
  const stored = await withInstallation(context, ({ catalog }) => catalog.list());
  return stored.map(({ row }) => row);
}

function summarize(terminal: Output, { compared, explained, unknown, missing }: Comparison): void {
  terminal.writeError(
    `Compared ${compared} deployments: ${explained} differences have a reason in their row.`,
  );
  if (unknown.length > 0) {
    terminal.writeError(
      `Not in the file: ${unknown.map(({ model, deployment }) => `${model} (${deployment})`).join(', ')}.`,
    );
  }
  if (missing.length > 0) {
    terminal.writeError(`${missing.length} active models of the file are not in the catalog: see --missing.`);
  }
}
