/** `catalog list`, `catalog show` and `catalog set-status`; and how one row is changed. */

import { type ModelAnswer, maxModelPage } from '../../lib/admin/models/schema.ts';
import { modelStatuses } from '../../lib/core/catalog/model.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { JsonObject } from '../../lib/core/formats/json-object.ts';
import { asUsageError, type CallAdmin, callAdmin, listAll, withAdmin } from '../call-admin.ts';
import { type Command, oneOf } from '../command.ts';
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
  call: CallAdmin,
  id: string,
  change: (row: JsonObject) => JsonObject,
): Promise<JsonObject> {
  for (let tries = 1; ; tries += 1) {
    const { row, etag } = await call('admin-models-retrieve', ownedModel(id));
    if (!row) throw new Error(`The catalog row of ${id} is damaged. Run: catalog lint`);
    const changed = change(row);
    try {
      await call('admin-models-put', { ...ownedModel(id), row: changed }, etag).catch(asUsageError);
      return changed;
    } catch (error) {
      if (!(error instanceof GatewayError && error.kind === 'conflict') || tries === maxTries) throw error;
    }
  }
}

/** If another process changed the row meanwhile, the change is applied again to the new row. */
const maxTries = 5;

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
    await withAdmin(context, (call) =>
      changeRow(call, id, ({ replacement: old, ...row }) => {
        const successor = replacement ?? (status === 'active' ? undefined : old);
        return { ...row, status, ...(successor !== undefined && { replacement: successor }) };
      }),
    );
    terminal.write(`${id} is ${status}. It takes effect ${seenEverywhere}.`);
    terminal.writeError(ownedNow);
  },
};

export const rowCommands: readonly Command[] = [catalogList, catalogShow, catalogRemove, catalogSetStatus];
