/** A model's row as the values of its form, and the row that the form makes of it. A further price applies from its day on. */
import { addPrice, priceAt, soonAfter } from '../../../lib/admin/catalog/later-prices.ts';
import { type Fields, type Values, valuesOf } from '../form-values.ts';
import {
  type Entry,
  entryValues,
  isChanged,
  listField,
  numberField,
  type Opened,
  otherMembers,
  type Row,
  readEntries,
  textField,
  withChanges,
  withRest,
  writeRest,
} from './row-values.ts';

/** In US dollars: for a million tokens, where the title names nothing else. */
export const amounts = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cachedInput', 'Cached input'],
  ['cacheWrite', 'Cache writes'],
  ['cacheWriteHour', 'Cache writes, kept longer'],
  ['reasoning', 'Reasoning'],
  ['imageInput', 'Input images'],
  ['cachedImageInput', 'Cached input images'],
  ['audioInput', 'Input audio'],
  ['cachedAudioInput', 'Cached input audio'],
  ['imageOutput', 'Generated images'],
  ['request', '1,000 requests'],
  ['webSearch', '1,000 web searches'],
  ['webSearchRequest', '1,000 requests that search'],
  ['searchUnit', '1,000 search units'],
  ['characters', '1,000,000 characters'],
  ['audioHour', 'An hour of audio'],
  ['image', 'An image'],
  ['imageInputEach', 'An input image'],
  ['cacheStorage', 'Stored content, an hour'],
  ['upliftPercent', 'Uplift in percent'],
] as const;

/** What the price of that time has and this form does not show. */
export const keptPartsOf = (row: Row, at: number): readonly string[] =>
  Object.keys(priceAt(row, at)).filter((part) => !amounts.some(([name]) => name === part));

const priceFields: Fields = Object.fromEntries(
  amounts.map(([name, title]) => [`row.price.${name}`, numberField(title)]),
);

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
  ({ ...fields, ...priceFields })[name]?.title ?? (name.slice('row.'.length) || otherMembers);

const own = [
  ...['id', 'status', 'replacement', 'created', 'endpoints', 'modalities', 'limits'],
  ...['price', 'laterPrices', 'deployments'],
];

export const blankDeployment = { provider: '', region: 'global', upstreamId: '', was: '' };

export const maxDeployments = 40;

export const blankModel = (day: string): Row => ({
  created: day,
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: null, input: null, output: null },
  traits: {},
  deployments: [{ provider: '', region: 'global', upstreamId: '' }],
});

/** Deployments of a row have different ones. */
const placeOf = ({ provider, region }: Row) => `${provider} ${region}`;

const rowsIn = (list: unknown): readonly Row[] => (Array.isArray(list) ? list.map(Object) : []);

/** `at`: the prices are those of then, in milliseconds. */
export const modelValues = (row: Row, at: number): Values => ({
  ...valuesOf(fields, { row }),
  ...valuesOf(priceFields, { row: { price: priceAt(row, at) } }),
  from: '',
  ...entryValues('row.deployments', rowsIn(row.deployments).map(entryOf)),
  row: writeRest(row, own),
});

const entryOf = (deployment: Row): Entry => ({
  provider: String(deployment.provider),
  region: String(deployment.region),
  upstreamId: String(deployment.upstreamId),
  was: placeOf(deployment),
});

/** `isNew`: the price has no history. `now` in milliseconds. */
export function modelRow(values: Values, { row, values: opened }: Opened, now: number): Row {
  const changed = withChanges(fields, row, values, opened);
  const priced = withPrice(changed, values, opened, now);
  const placed = { ...priced, deployments: deploymentsOf(row, values) };
  return isChanged('row', values, opened) ? withRest(placed, own, String(values.row)) : placed;
}

/** What was billed before stays as it was. */
function withPrice(row: Row, values: Values, opened: Values, now: number): Row {
  if (!Object.keys(priceFields).some((name) => isChanged(name, values, opened))) return row;
  const make = (old: Row) => Object(withChanges(priceFields, { price: old }, values, opened).price);
  if (row.price === undefined && row.laterPrices === undefined) return { ...row, price: make({}) };
  return addPrice(row, String(values.from) || soonAfter(now), make);
}

/** Each with what the form does not show of it: prices, regions and routes of its own. */
function deploymentsOf(row: Row, values: Values): readonly Row[] {
  const before = rowsIn(row.deployments);
  return readEntries('row.deployments', blankDeployment, values).map(({ was, ...shown }) => ({
    ...before.find((deployment) => was !== '' && placeOf(deployment) === was),
    ...Object.fromEntries(Object.entries(shown).map(([member, text]) => [member, text.trim()])),
  }));
}

/** The field of a parameter: a further price is one of the fields of the price. */
export const fieldOf = (param: string): string =>
  param.replace(/^row\.laterPrices\.\d+\.from$/, 'from').replace(/^row\.laterPrices\.\d+/, 'row.price');
