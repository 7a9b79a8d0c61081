/** `catalog set-price`: the price of a model from a day, or from now. Earlier prices stay, for bills of that time. */
import { addPrice, startOf } from '../../lib/admin/catalog/later-prices.ts';
import { type JsonObject, objectsIn, withoutUndefined } from '../../lib/core/formats/json-object.ts';
import { withAdmin } from '../call-admin.ts';
import { type Command, UsageError } from '../command.ts';
import { jsonOption } from '../listing.ts';
import { priceOptions, readFrom, readPriceChange } from './catalog-price-options.ts';
import { changeRow, ownedNow } from './rows.ts';

interface PriceChange {
  /** The day, or the time, from which it applies. */
  readonly from: string;
  /** `provider` or `provider:region`; absent: the price of the model. */
  readonly deployment?: string;
  /** Makes the new price from the one that applies then, without its day. */
  readonly make: (old: JsonObject) => JsonObject;
}

/** The row with a further price; a price of the same time is replaced. */
function withPrice(row: JsonObject, { from, deployment, make }: PriceChange): JsonObject {
  if (deployment === undefined) return addPrice(row, from, make);
  const chosen = deploymentNamed(row, deployment);
  // Until then, a deployment without a price of its own has the model's price.
  const { price, laterPrices } = row;
  const before = hasOwnPrice(chosen) ? chosen : { ...chosen, ...withoutUndefined({ price, laterPrices }) };
  const changed = addPrice(before, from, make);
  return { ...row, deployments: deploymentsOf(row).map((one) => (one === chosen ? changed : one)) };
}

/** The price that starts at that time, and the start of the next one. */
function priceFrom(row: JsonObject, { from, deployment }: PriceChange) {
  const at = deployment === undefined ? row : deploymentNamed(row, deployment);
  const prices = objectsIn(at.laterPrices);
  const next = prices.find((price) => startOf(price) > Date.parse(from));
  return {
    price: prices.find((price) => price.from === from),
    ...(next && { until: String(next.from) }),
  };
}

/** The deployments that do not use the model's price. */
function deploymentsWithOwnPrice(row: JsonObject): readonly string[] {
  return deploymentsOf(row).filter(hasOwnPrice).map(nameOf);
}

const deploymentsOf = ({ deployments }: JsonObject) => objectsIn(deployments);

const nameOf = ({ provider, region }: JsonObject) => `${provider}:${region}`;

const hasOwnPrice = ({ price, laterPrices }: JsonObject) => (price ?? laterPrices) !== undefined;

/** Throws UsageError unless it is exactly one. */
function deploymentNamed(row: JsonObject, named: string): JsonObject {
  const all = deploymentsOf(row);
  const [found, other] = all.filter((one) => named === one.provider || named === nameOf(one));
  if (found && !other) return found;
  const problem = found ? 'matches more than one deployment' : 'matches no deployment';
  throw new UsageError(`--deployment ${problem} of this model: ${all.map(nameOf).join(', ')}`);
}

export const catalogSetPrice: Command = {
  name: 'catalog set-price',
  summary: 'Set the price of a model',
  description:
    'Earlier prices stay in the history. Amounts that are not given stay unchanged; none removes an amount.',
  arguments: ['model'],
  options: {
    ...priceOptions,
    deployment: {
      value: '<provider[:region]>',
      description: 'Set the price of this deployment only',
    },
    ...jsonOption,
  },
  examples: [
    'catalog set-price openai/gpt-5.5 --input 5 --output 30 --from 2027-01-01',
    'catalog set-price openai/gpt-5.5 --input 4 --output 24 --deployment azure',
    'catalog set-price openai/gpt-5.5 --input 2.5 --output 15 --service-tier flex',
    'catalog set-price deepseek/deepseek-flash --input 0.3 --output 1.2 --at 01:00-04:00,06:00-10:00',
  ],
  async run({ arguments: [id = ''], options, terminal, ...context }) {
    const { deployment } = options;
    const change: PriceChange = {
      from: readFrom(options.from, Date.now()),
      ...(deployment !== undefined && { deployment }),
      make: readPriceChange(options),
    };
    const changed = await withAdmin(context, (call) => changeRow(call, id, (row) => withPrice(row, change)));
    terminal.write(JSON.stringify(priceFrom(changed, change).price, null, 2));
    for (const line of remarks(changed, change)) terminal.writeError(line);
  },
};

function remarks(row: JsonObject, change: PriceChange): readonly string[] {
  const { from, deployment } = change;
  const { until } = priceFrom(row, change);
  const others = deployment === undefined ? deploymentsWithOwnPrice(row) : [];
  return [
    `This price applies from ${from}${until === undefined ? '' : ` until ${until}`}. ${ownedNow}`,
    ...(others.length > 0 ? [`These deployments keep their own price: ${others.join(', ')}`] : []),
    ...(Date.parse(from) < Date.now()
      ? ['Requests since then may have been billed at another price. To find them, run: usage recompute']
      : []),
  ];
}
