/** The attempts of a request in order: why each ended, what it used, and the arithmetic of its price. */
import type { AttemptAnswer } from '../../../lib/admin/requests/schema.ts';
import { Badge } from '../../components/surfaces.tsx';
import { type Amount, amount } from '../../format/money.ts';
import { counted, exactCount } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import { partName, unitPriceWords } from './price-words.ts';

export const Attempts = ({ attempts }: { readonly attempts: readonly AttemptAnswer[] }) => (
  <ol class="attempts">
    {attempts.map((attempt, index) => (
      <li key={index}>
        <Attempt attempt={attempt} number={index + 1} />
      </li>
    ))}
  </ol>
);

function Attempt({ attempt, number }: { readonly attempt: AttemptAnswer; readonly number: number }) {
  const {
    provider,
    model,
    region,
    service_tier: tier,
    error,
    usage,
    estimated,
    cost_nano_usd: nano,
    provider_cost_nano_usd,
  } = attempt;
  const cost = amount(nano);
  return (
    <article>
      <h3>
        {number}. {provider}, {region}
        {tier && `, ${tier}`}{' '}
        {error ? <Badge tone="bad">{error}</Badge> : <Badge tone="good">answered</Badge>}
      </h3>
      <p class="quiet">
        {model} · {timesOf(attempt)}
      </p>
      {usage && (
        <p>
          {usageWords(usage)}
          {estimated && <span class="quiet"> (estimated: the answer ended before its usage came)</span>}
        </p>
      )}
      <Arithmetic lines={attempt.arithmetic} total={cost} isKnown={nano !== null} />
      {provider_cost_nano_usd ? (
        <p class="quiet">The provider takes {amount(provider_cost_nano_usd).exact}.</p>
      ) : null}
    </article>
  );
}

function timesOf({ began_after_ms: began, ended_after_ms: ended }: AttemptAnswer): string {
  const start = `began after ${duration(began)}`;
  return ended === null ? start : `${start}, took ${duration(ended - began)}`;
}

type Usage = NonNullable<AttemptAnswer['usage']>;

const partNames = [
  ['cached_tokens', 'cached'],
  ['cache_write_tokens', 'written to the cache'],
] as const satisfies readonly (readonly [keyof Usage, string])[];

const unitNames = [
  ['web_searches', 'web search', 'web searches'],
  ['search_units', 'search unit', 'search units'],
  ['input_images', 'image sent', 'images sent'],
  ['characters', 'character', 'characters'],
] as const satisfies readonly (readonly [keyof Usage, string, string])[];

/** `1,200 tokens in (800 cached), 300 out (100 for reasoning), 2 web searches`. */
function usageWords(usage: Usage): string {
  const parts = partNames.flatMap(([name, word]) =>
    usage[name] > 0 ? [`${exactCount(usage[name])} ${word}`] : [],
  );
  const input = `${exactCount(usage.prompt_tokens)} tokens in${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
  const reasoning =
    usage.reasoning_tokens > 0 ? ` (${exactCount(usage.reasoning_tokens)} for reasoning)` : '';
  const units = unitNames.map(([name, one, many]) =>
    usage[name] > 0 ? `, ${counted(usage[name], one, many)}` : '',
  );
  const heard = usage.audio_ms > 0 ? `, ${exactCount(usage.audio_ms)} ms of audio` : '';
  return `${input}, ${exactCount(usage.completion_tokens)} out${reasoning}${units.join('')}${heard}`;
}

interface ArithmeticProps {
  readonly lines: AttemptAnswer['arithmetic'];
  readonly total: Amount;
  readonly isKnown: boolean;
}

function Arithmetic({ lines, total, isKnown }: ArithmeticProps) {
  if (!isKnown) return <p class="quiet">Its price is unknown, so its cost is, too.</p>;
  if (lines === null)
    return (
      <p>
        {total.exact} <span class="quiet">(made with a price that the catalog no longer has)</span>
      </p>
    );
  if (lines.length === 0) return <p class="quiet">It cost nothing.</p>;
  return (
    <table class="arithmetic">
      <thead class="unseen">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Quantity and price</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ what, quantity, unit_price: price, per, amount }) => (
          <tr key={what}>
            <th scope="row">{partName(what)}</th>
            <td class="number">
              {quantity === null ? '' : exactCount(quantity)}
              {price === null ? '' : ` × ${unitPriceWords(price, per)}`}
            </td>
            <td class="number">${amount}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            Cost, rounded to billionths of a dollar
          </th>
          <td class="number">{total.exact}</td>
        </tr>
      </tfoot>
    </table>
  );
}
