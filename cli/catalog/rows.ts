/** `catalog list`, `catalog show` and `catalog set-status`; and how one row is changed. */

import { type ModelAnswer, maxModelPage } from '../../lib/admin/models/schema.ts';
import { modelStatuses } from '../../lib/core/catalog/model.ts';
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { asUsageError, type CallAdmin, callAdmin, listAll, withAdmin } from '../call-admin.ts';
import { type Command, type Installation, oneOf, UsageError, withInstallation } from '../command.ts';
import { jsonOption, type Row, writeListing } from '../listing.ts';

const catalogShow: Command = {
  name: 'catalog show',
  summary: 'Show the catalog row of a model, as JSON',
  arguments: ['model'],
  options: jsonOption,
  examples: ['catalog show openai/gpt-5.5'],
  async run({ arguments: [id = ''], terminal, ...context }) {
    const { row, written_by } = await callAdmin(context, 'admin-models-retrieve', ownedModel(id));
    terminal.writeError(written_by === 'seed' ? 'Ships with the gateway.' : 'Written by an operator.');
    terminal.write(JSON.stringify(row, null, 2));
  },
};

/** An id as the paths of the API have it. */
export function ownedModel(id: string): { readonly owner: string; readonly model: string } {
  const [owner = '', ...rest] = id.split('/');
  return { owner, model: rest.join('/') };
}

const catalogRemove: Command = {
  name: 'catalog remove',
  summary: 'Remove a model of yours from the catalog',
  description:
    'A model that ships with the gateway stays: set its status instead. If you have changed its row, the row that ships is back with the next catalog sync.',
  arguments: ['model'],
  examples: ['catalog remove acme/chat'],
  async run({ arguments: [id = ''], terminal, ...context }) {
    await callAdmin(context, 'admin-models-delete', ownedModel(id)).catch(asUsageError);
    terminal.write(`Removed ${id}. It takes effect ${seenEverywhere}.`);
  },
};

/** Rejects if the model does not exist. */
export async function findRow({ catalog }: Pick<Installation, 'catalog'>, id: string): Promise<StoredRow> {
  const stored = await catalog.get(id);
  if (!stored) throw new Error(`Model not found: ${id}. List all models with: catalog list`);
  return stored;
}

const list = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');

const columns = ['id', 'status', 'input', 'output', 'written_by', ['deployments', list]] as const;

const catalogList: Command = {
  name: 'catalog list',
  summary: 'List models with their status and price',
  description: 'Prices are the current ones, in USD per million tokens.',
  options: {
    ...jsonOption,
    status: { value: modelStatuses.join('|'), description: 'Only models with this status' },
  },
  examples: ['catalog list', 'catalog list --status deprecated --json'],
  async run({ terminal, options, format, ...context }) {
    const { status } = options;
    if (status !== undefined) oneOf('The status', modelStatuses, status);
    const listed = await withAdmin(context, listEvery);
    const rows = listed.filter((row) => status === undefined || row.status === status);
    const isFaulty = rows.some(({ fault }) => fault !== undefined);
    writeListing({ terminal, format }, rows, isFaulty ? [...columns, 'fault'] : columns);
  },
};

/** Every row, by id. */
async function listEvery(call: CallAdmin): Promise<readonly Row[]> {
  const faulty: Row[] = [];
  const listed = await listAll(async (page) => {
    const answer = await call('admin-models-list', { limit: maxModelPage, ...page });
    faulty.push(...answer.faulty);
    return answer;
  });
  return [...listed.map(toRow), ...faulty].toSorted((one, other) =>
    String(one.id) < String(other.id) ? -1 : 1,
  );
}

const toRow = ({ id, status, replacement, price, written_by, places }: ModelAnswer): Row => ({
  id,
  status,
  ...(replacement !== null && { replacement }),
  ...(price && { input: price.input, output: price.output }),
  written_by,
  deployments: places.map(({ provider, region }) => `${provider}:${region}`),
});

/** Rejects with UsageError if the changed row would be invalid. */
export async function changeRow(
  installation: Pick<Installation, 'catalog'>,
  id: string,
  change: (row: JsonObject) => JsonObject,
): Promise<JsonObject> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const known = await findRow(installation, id);
    if (!isJsonObject(known.row)) throw new Error(`The catalog row of ${id} is damaged. Run: catalog lint`);
    const changed = change(known.row);
    checkRow(changed);
    if (await installation.catalog.replace(known, changed)) return changed;
  }
  throw new Error(`The catalog row of ${id} was changed by another process. Try again.`);
}

/** If another process changed the row meanwhile, the change is applied again to the new row. */
const maxTries = 5;

function checkRow(row: JsonObject): void {
  try {
    readModelRow(row);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** How long functions use a row that they have read. */
export const seenEverywhere = 'within a minute';

export const ownedNow = 'This row is yours now: catalog sync does not overwrite it.';

const catalogSetStatus: Command = {
  name: 'catalog set-status',
  summary: 'Set the status of a model',
  description:
    'The status is active, deprecated (served, with a deprecation notice), inactive or retired (both not served).',
  arguments: ['model', 'status'],
  options: {
    replacement: { value: '<model>', description: 'The model to suggest to callers instead' },
  },
  examples: ['catalog set-status openai/gpt-4o deprecated --replacement openai/gpt-5.5'],
  async run({ arguments: [id = '', text = ''], options: { replacement }, terminal, ...context }) {
    const status = oneOf('The status', modelStatuses, text);
    if (replacement !== undefined && status === 'active') {
      throw new UsageError('--replacement cannot be used with the status active.');
    }
    await withInstallation(context, async (installation) => {
      if (replacement !== undefined) await checkReplacement(installation, id, replacement);
      await changeRow(installation, id, ({ replacement: old, ...row }) => {
        const successor = status === 'active' ? undefined : (replacement ?? old);
        return { ...row, status, ...(successor !== undefined && { replacement: successor }) };
      });
    });
    terminal.write(`${id} is ${status}. It takes effect ${seenEverywhere}.`);
    terminal.writeError(ownedNow);
  },
};

async function checkReplacement(installation: Installation, id: string, replacement: string): Promise<void> {
  if (replacement === id) throw new UsageError('A model cannot replace itself.');
  await findRow(installation, replacement);
}

export const rowCommands: readonly Command[] = [catalogList, catalogShow, catalogRemove, catalogSetStatus];
