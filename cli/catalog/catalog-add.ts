/** `catalog add`: adds models to the catalog without a deployment, from a file of rows or from a public price file. */
import { maxModelPage } from '../../lib/admin/models/schema.ts';
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isModelId, readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type CallAdmin, listAll, withAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { readPriceFile } from './compare/litellm.ts';
import { rowFromFile } from './compare/row-from-file.ts';
import { ownedModel, ownedNow, seenEverywhere } from './rows.ts';
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
    const isDryRun = context.flags.has('dry-run');
    const { added, shared } = await withAdmin(context, async (call, { now }) => {
      const rows = context.options.from
        ? [{ row: await readFromPriceFile(argument, context.options, call, now()) }]
        : await readRows(argument);
      const printed = rows.map(({ row }) => row);
      if (isDryRun) terminal.write(JSON.stringify(printed, null, 2));
      const [stored, { data: hosts }] = await Promise.all([
        listAll((page) => call('admin-models-list', { limit: maxModelPage, ...page })),
        call('admin-hosts-list', {}),
      ]);
      const names = hosts.map(({ id }) => id);
      const { lintRows } = await import('../../lib/admin/catalog/lint.ts');
      const [fault] = lintRows(rows, stored, names);
      if (fault) throw new UsageError(`${fault.model}: ${fault.fault}`);
      return isDryRun ? { added: [], shared: [] } : await putAll(call, printed.filter(isJsonObject));
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

/** A row that names another one as its replacement comes after it. */
async function putAll(call: CallAdmin, rows: readonly JsonObject[]) {
  const added: { readonly id: string }[] = [];
  const shared: string[] = [];
  const left = [...rows];
  while (left.length > 0) {
    const next = left.findIndex(
      ({ id, replacement }) => !left.some((row) => row.id === replacement && row.id !== id),
    );
    const [row = {}] = left.splice(Math.max(next, 0), 1);
    const id = String(row.id);
    const { shared_names } = await call('admin-models-put', { ...ownedModel(id), row });
    added.push({ id });
    shared.push(...shared_names);
  }
  return { added, shared };
}

type Options = CommandContext['options'];

function refuseWithoutFrom(options: Options): void {
  const given = (['like', 'provider', 'upstream-id'] as const).find((name) => options[name] !== undefined);
  if (given) throw new UsageError(`--${given} needs --from.`);
}

async function readFromPriceFile(
  id: string,
  { from: path = '', like, provider, 'upstream-id': upstreamId }: Options,
  call: CallAdmin,
  now: number,
): Promise<unknown> {
  if (!isModelId(id)) throw new UsageError(`${id} is not the id of a model, such as openai/gpt-5.5.`);
  const example = like === undefined ? undefined : await findExample(call, like);
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

async function findExample(call: CallAdmin, like: string): Promise<JsonObject> {
  const { row } = await call('admin-models-retrieve', ownedModel(like)).catch(() => ({ row: null }));
  if (!row) throw new UsageError(`--like: unknown model ${like}.`);
  return row;
}
