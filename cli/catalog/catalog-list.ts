/** `catalog list`: the models of the table, with their status and current price. */
import { listModels } from '../../lib/admin/models/list.ts';
import {
  type ModelAnswer,
  type ModelsListAnswer,
  type ModelsListQuery,
  maxModelPage,
} from '../../lib/admin/models/schema.ts';
import { modelStatuses } from '../../lib/core/catalog/model.ts';
import { callAdmin, operation } from '../call-admin.ts';
import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';

const list = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');

const columns = [
  { name: 'id' },
  { name: 'status' },
  { name: 'input' },
  { name: 'output' },
  { name: 'written_by' },
  { name: 'deployments', show: list },
  { name: 'fault' },
];

export const catalogList: Command = {
  name: 'catalog list',
  summary: 'List models with their status and price',
  description: 'Prices are the current ones, in USD per million tokens.',
  arguments: [],
  options: {
    ...jsonOption,
    status: { value: modelStatuses.join('|'), description: 'Only models with this status' },
  },
  examples: ['catalog list', 'catalog list --status deprecated --json'],
  async run({ terminal, options, flags, ...context }) {
    const { status } = options;
    if (status !== undefined) readStatus(status);
    const listed = await withInstallation(context, listAll);
    const rows = listed.filter((row) => status === undefined || row.status === status);
    const faulty = rows.some(({ fault }) => fault !== undefined);
    const shown = columns.filter(({ name }) => name !== 'fault' || faulty);
    writeListing(terminal, { columns: shown, rows }, readFormat({ options, flags }));
  },
};

/** Throws UsageError for an unknown status. */
export function readStatus(text: string) {
  const status = modelStatuses.find((known) => known === text);
  if (!status) throw new UsageError(`The status must be one of ${modelStatuses.join(', ')}, not ${text}.`);
  return status;
}

const models = operation(
  'admin-models-list',
  ({ catalog, tenants, now }: Installation, query: ModelsListQuery, user) =>
    listModels(
      { models: { list: catalog.list, aliases: async () => new Map() }, tenants, now, warn: () => {} },
      user,
      query,
    ),
);

/** Every row, by id. */
async function listAll(installation: Installation): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const query = { limit: maxModelPage, ...(after !== undefined && { after }) };
    const page: ModelsListAnswer = await callAdmin(installation, models, query);
    rows.push(...page.data.map(toRow), ...page.faulty);
    after = page.next_after ?? undefined;
  } while (after !== undefined);
  return rows.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
}

const toRow = ({ id, status, replacement, price, written_by, places }: ModelAnswer): Row => ({
  id,
  status,
  ...(replacement !== null && { replacement }),
  ...(price && { input: price.input, output: price.output }),
  written_by,
  deployments: places.map(({ provider, region }) => `${provider}:${region}`),
});
