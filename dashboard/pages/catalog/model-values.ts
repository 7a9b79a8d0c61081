/** A model's row as the values of its form, and the row that the form makes of it. A further price applies from its day on. */
import { addPrice, priceAt, soonAfter } from '../../../lib/admin/catalog/later-prices.ts';
import { type Fields, type Values, valuesOf } from '../form-values.ts';
import { deploymentEntries, deploymentsOf, hasPrice } from './deployment-values.ts';
import { changedPrice, fieldOfPrice, isPriceChanged, priceTitle, priceValues } from './price-values.ts';
import {
  entryValues,
  isChanged,
  listField,
  numberField,
  type Opened,
  otherMembers,
  type Row,
  textField,
  withChanges,
  withRest,
  writeRest,
} from './row-values.ts';

const fields: Fields = {
  'row.id': textField('Id'),
  'row.status': textField('Status'),
  'row.replacement': textField('Replacement'),
  'row.created': textField('Released'),
  'row.endpoints': listField('Operations'),
  'row.modalities.input': listField('Takes'),
  'row.modalities.output': listField('Gives'),
  'row.limits.context': numberField('Context', null),
  'row.limits.input': numberField('Longest input', null),
  'row.limits.output': numberField('Longest output', null),
};

export const titleOf = (name: string): string =>
  fields[name]?.title ?? priceTitle(name) ?? (name.slice('row.'.length) || otherMembers);

const own = [
  ...['id', 'status', 'replacement', 'created', 'endpoints', 'modalities', 'limits'],
  ...['price', 'laterPrices', 'deployments'],
];

export const blankModel = (day: string): Row => ({
  created: day,
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: null, input: null, output: null },
  traits: {},
  deployments: [{ provider: '', region: 'global', upstreamId: '' }],
});

/** `at`: the prices are those of then, in milliseconds. */
export const modelValues = (row: Row, at: number): Values => ({
  ...valuesOf(fields, { row }),
  ...priceValues('row.price', priceAt(row, at)),
  from: '',
  ...entryValues('row.deployments', deploymentEntries(row, at)),
  row: writeRest(row, own),
});

/** `now` in milliseconds. */
export function modelRow(values: Values, { row, values: opened }: Opened, now: number): Row {
  const changed = withChanges(fields, row, values, opened);
  const from = String(values.from) || soonAfter(now);
  const make = (old: Row) => changedPrice(old, 'row.price', values, opened);
  const priced = isPriceChanged('row.price', values, opened) ? withPrice(changed, from, make) : changed;
  const placed = { ...priced, deployments: deploymentsOf(values, { row, values: opened }, from) };
  return isChanged('row', values, opened) ? withRest(placed, own, String(values.row)) : placed;
}

/** What was billed before stays as it was. */
const withPrice = (row: Row, from: string, make: (old: Row) => Row): Row =>
  hasPrice(row) ? addPrice(row, from, make) : { ...row, price: make({}) };

/** The field of a parameter: a further price is one of the fields of the price. */
export const fieldOf = (param: string): string =>
  fieldOfPrice(
    param
      .replace(/^row\.(deployments\.\d+\.)?laterPrices\.\d+\.from$/, 'from')
      .replace(/\blaterPrices\.\d+/, 'price'),
  );
