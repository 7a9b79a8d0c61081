/** Schema parts of queries. They are apart from those of bodies, which the functions without a body need not load. */
import * as z from 'zod/mini';
import { dayMs } from '../time.ts';

/** A number in a query, where every value is text. */
export function queryIntegerBetween(low: number, high: number) {
  const problem = `must be an integer between ${low} and ${high}`;
  return z.coerce.number(problem).check(z.int(problem), z.gte(low, problem), z.lte(high, problem));
}

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });
/** From 2001 to 5138: other numbers are not Unix seconds. */
const seconds = /^\d{10,11}$/;

const isDate = (text: string) => date.safeParse(text).success;

const timeProblem = 'must be a date such as 2026-01-31, or a time with its zone such as 2026-01-31T12:00:00Z';

/**
 * In Unix milliseconds. A date means the whole day (UTC): as a beginning its first moment, as an end the first moment of the next day.
 * The dashboard also sends Unix seconds.
 */
export function timeParameter(which: 'beginning' | 'end', takesSeconds = false) {
  const isSeconds = (text: string) => takesSeconds && seconds.test(text);
  const isTime = (text: string) => isSeconds(text) || isDate(text) || dateTime.safeParse(text).success;
  const toTime = (text: string) =>
    isSeconds(text) ? Number(text) * 1_000 : Date.parse(text) + (which === 'end' && isDate(text) ? dayMs : 0);
  const problem = takesSeconds ? `${timeProblem}, or Unix seconds` : timeProblem;
  return z.optional(z.pipe(z.string().check(z.refine(isTime, problem)), z.transform(toTime)));
}
