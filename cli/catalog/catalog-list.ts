/** `catalog list`: the models of the table, with their status and current price. */
import { type ModelAnswer, maxModelPage } from '../../lib/admin/models/schema.ts';
import { modelStatuses } from '../../lib/core/catalog/model.ts';
import { type CallAdmin, listAll, withAdmin } from '../call-admin.ts';
import { type Command, UsageError } from '../command.ts';
import type { Row } from '../output/listing.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';

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
    const listed = await withAdmin(context, listEvery);
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
