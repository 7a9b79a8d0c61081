/** `catalog add`: adds models to the catalog without a deployment, from a file of rows or from a public price file. */
import { lintRows } from '../../lib/admin/catalog/lint.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import { namesOf } from '../../lib/core/names/names.ts';
import { isModelId, readModelRow } from '../../lib/stores/catalog/model-row.ts';
import type { NameStore } from '../../lib/stores/catalog/names.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { readPriceFile } from './compare/litellm.ts';
import { rowFromFile } from './compare/row-from-file.ts';
import { ownedNow, seenEverywhere } from './rows.ts';
import { readRows } from './seed.ts';

export const catalogAdd: Command = {
  name: 'catalog add',
  summary: 'Add or replace models from a file of catalog rows, or one from a public price file',
  description:
    'Writes nothing if a row has a fault. With --from, the argument is the id of the new model: its row gets the prices, limits and abilities that the price file of LiteLLM states.',
  arguments: ['file|model'],
  options: {
    from: { value: '<price file>', description: 'Make the row from this public price file' },
    like: {
      value: '<model>',
      description: 'With --from: the model whose traits, timeouts and deployment the row gets',
    },
    provider: {
      value: '<name>',
      description: 'With --from: who serves it (default: as --like, or the owner)',
    },
    'upstream-id': {
      value: '<id>',
      description: 'With --from: what the provider calls it (default: the id without its owner)',
    },
    'dry-run': { description: 'Print the rows and store nothing' },
  },
  examples: [
    'catalog add my-models.json',
    'catalog add my-models.json --stack ModelGateway',
    'catalog add openai/gpt-6.1 --from model_prices_and_context_window.json --like openai/gpt-5.5 --dry-run',
  ],
  async run({ arguments: [argument = ''], terminal, ...context }) {
    if (!context.options.from) refuseWithoutFrom(context.options);
    const { added, shared } = await withInstallation(context, async ({ catalog, hosts, now }) => {
      const stored = (await catalog.list()).map(({ row }) => row);
      const rows = context.options.from
        ? [{ row: await readFromPriceFile(argument, context.options, stored, now()) }]
        : await readRows(argument);
      const isDryRun = context.flags.has('dry-run');
      const printed = rows.map(({ row }) => row);
      if (isDryRun) terminal.write(JSON.stringify(printed, null, 2));
      const names = (await hosts.list()).map(({ name }) => name);
      const [fault] = lintRows(rows, stored.flatMap(readIfValid), names);
      if (fault) throw new UsageError(`${fault.model}: ${fault.fault}`);
      if (isDryRun) return { added: [], shared: [] };
      for (const { row } of rows) await catalog.put(row, { source: 'operator' });
      const models = rows.map(({ row }) => readModelRow(row));
      return { added: models, shared: await sharedNames(catalog.names, models) };
    });
    for (const { id } of added) terminal.write(`Stored ${id}. It takes effect ${seenEverywhere}.`);
    if (added.length > 0) terminal.writeError(ownedNow);
    for (const name of shared) {
      terminal.writeError(
        `Several models are named ${name} now: callers must use an id, unless you give the name to one with catalog set-alias.`,
      );
    }
  },
};

type Options = CommandContext['options'];

function refuseWithoutFrom(options: Options): void {
  const given = (['like', 'provider', 'upstream-id'] as const).find((name) => options[name] !== undefined);
  if (given) throw new UsageError(`--${given} needs --from.`);
}

async function readFromPriceFile(
  id: string,
  { from: path = '', like, provider, 'upstream-id': upstreamId }: Options,
  stored: readonly unknown[],
  now: number,
): Promise<unknown> {
  if (!isModelId(id)) throw new UsageError(`${id} is not the id of a model, such as openai/gpt-5.5.`);
  const example = stored.find((row) => isJsonObject(row) && row.id === like);
  if (like !== undefined && !example) throw new UsageError(`--like: unknown model ${like}.`);
  const [owner = '', name = ''] = id.split('/');
  const deployments = example ? readModelRow(example, 'ignore').deployments : [];
  const chosen = provider ?? deployments[0]?.provider ?? owner;
  return rowFromFile({
    file: await readPriceFile(path),
    id,
    provider: chosen,
    region: deployments.find((one) => one.provider === chosen)?.region ?? 'global',
    upstreamId: upstreamId ?? name,
    example,
    day: new Date(now).toISOString().slice(0, 10),
  });
}

/** The names without an owner that other models have too, and that are no alias. */
async function sharedNames(names: NameStore, added: readonly Model[]): Promise<readonly string[]> {
  const [seed, operator] = await Promise.all([names.get('seed'), names.get('operator')]);
  return added.flatMap(namesOf).filter((name) => {
    const ids = [seed, operator].flatMap(({ models }) => models.get(name) ?? []);
    return new Set(ids).size > 1 && !operator.aliases.has(name);
  });
}

function readIfValid(row: unknown) {
  try {
    return [readModelRow(row, 'ignore')];
  } catch {
    return [];
  }
}
