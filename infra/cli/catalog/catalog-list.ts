/** `catalog list`: the models of the table, with their status and current price. */
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import { priceAt } from '../../../lib/core/accounting/price.ts';
import { type Model, modelStatuses } from '../../../lib/core/model.ts';
import type { StoredRow } from '../../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
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
    const stored = await withInstallation(context, ({ catalog }) => catalog.list());
    const rows = stored.map(toRow).filter((row) => status === undefined || row.status === status);
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

function toRow({ id, source, row }: StoredRow): Row {
  const written = { written_by: source };
  try {
    const model = readModelRow(row, 'ignore');
    const { status, replacement, deployments } = model;
    const at = deployments.map(({ provider, region }) => `${provider}:${region}`);
    return {
      id,
      status,
      ...(replacement && { replacement }),
      ...pricesOf(model),
      ...written,
      deployments: at,
    };
  } catch (error) {
    return { id, ...written, fault: error instanceof Error ? error.message : String(error) };
  }
}

function pricesOf({ prices }: Model) {
  const price = priceAt(prices, Date.now() / 1000)?.price;
  return price && { input: perMillion(price.input), output: perMillion(price.output) };
}

/** From nano-dollars per token. */
const perMillion = (price: number) => formatDollars(price * 1_000_000);
