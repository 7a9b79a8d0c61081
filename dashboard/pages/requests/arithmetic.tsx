/** How a price is made up, line by line, with every digit. */
import type { AttemptAnswer } from '../../../lib/admin/requests/schema.ts';
import type { Amount } from '../../format/money.ts';
import { exactCount } from '../../format/numbers.ts';
import { partName, unitPriceWords } from './price-words.ts';

interface ArithmeticProps {
  readonly lines: AttemptAnswer['arithmetic'];
  readonly total: Amount;
  readonly isKnown: boolean;
}

export function Arithmetic({ lines, total, isKnown }: ArithmeticProps) {
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
