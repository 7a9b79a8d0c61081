/** The deployments of a model as entries of its form, each with a price of its own if it has one. */
import { addPrice, priceAt } from '../../../lib/admin/catalog/later-prices.ts';
import type { Values } from '../form-values.ts';
import { changedPrice, isPriceChanged, isPriceEmpty, priceValues } from './price-values.ts';
import { type Entry, type Opened, type Row, readEntries } from './row-values.ts';

const list = 'row.deployments';

/** `was`: by what it is found in the row. */
const blank = { provider: '', region: 'global', upstreamId: '', was: '' };

export const blankDeployment = { ...blank, ...priceValues('price', {}) } as Entry & typeof blank;

export const maxDeployments = 40;

/** Deployments of a row have different ones. */
const placeOf = ({ provider, region }: Row) => `${provider} ${region}`;

const rowsIn = ({ deployments }: Row): readonly Row[] =>
  Array.isArray(deployments) ? deployments.map(Object) : [];

/** `at`: the prices are those of then, in milliseconds. */
export const deploymentEntries = (row: Row, at: number): readonly Entry[] =>
  rowsIn(row).map((deployment) => ({
    provider: String(deployment.provider),
    region: String(deployment.region),
    upstreamId: String(deployment.upstreamId),
    was: placeOf(deployment),
    ...priceValues('price', priceAt(deployment, at)),
  }));

const entriesIn = (values: Values) =>
  readEntries(list, blankDeployment, values) as readonly (typeof blankDeployment)[];

/** Each with what the form does not show of it: regions and routes of its own, earlier and later prices. `from`: of changed prices. */
export function deploymentsOf(values: Values, { row, values: opened }: Opened, from: string): readonly Row[] {
  return entriesIn(values).map((entry, index) => {
    const isIt = (was: string) => entry.was !== '' && was === entry.was;
    const old = rowsIn(row).find((deployment) => isIt(placeOf(deployment)));
    const shown = entriesIn(opened).find(({ was }) => isIt(was)) ?? blankDeployment;
    const { provider, region, upstreamId } = entry;
    const typed = { provider: provider.trim(), region: region.trim(), upstreamId: upstreamId.trim() };
    const next = { ...old, ...typed };
    if (!isPriceChanged('price', entry, shown)) return next;
    if (isPriceEmpty('price', entry)) return withoutPrice(next);
    const make = (now: Row) => changedPrice(now, 'price', entry, shown, `${list}.${index}.price`);
    return withOwnPrice(next, old && row, from, make);
  });
}

const withoutPrice = ({ price: _, laterPrices: __, ...others }: Row): Row => others;

/** `model`: whose price it had until now; undefined of a new one. */
function withOwnPrice(deployment: Row, model: Row | undefined, from: string, make: (now: Row) => Row): Row {
  if (hasPrice(deployment)) return addPrice(deployment, from, make);
  if (!model || !hasPrice(model)) return { ...deployment, price: make({}) };
  const { price, laterPrices } = model;
  const before = Object.entries({ price, laterPrices }).filter(([, value]) => value !== undefined);
  return addPrice({ ...deployment, ...Object.fromEntries(before) }, from, () => make({}));
}

export const hasPrice = ({ price, laterPrices }: Row) => (price ?? laterPrices) !== undefined;
