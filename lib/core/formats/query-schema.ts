/** Schema parts of queries. They are apart from those of bodies, which the functions without a body need not load. */
import * as z from 'zod/mini';

/** A number in a query, where every value is text. */
export function queryIntegerBetween(low: number, high: number) {
  const problem = `must be an integer between ${low} and ${high}`;
  return z.coerce.number(problem).check(z.int(problem), z.gte(low, problem), z.lte(high, problem));
}
