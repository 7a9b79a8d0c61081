/** The times of questions about usage: a date, which means the whole day (UTC), a time with its zone, or Unix seconds. */

import * as z from 'zod/mini';
import { dayMs } from '../../core/time.ts';

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });

/** From 2001 to 5138: other numbers are not Unix seconds. */
const seconds = /^\d{10,11}$/;

const isDate = (text: string) => date.safeParse(text).success;

const problem =
  'must be a date such as 2026-01-31, a time with its zone such as 2026-01-31T12:00:00Z, or Unix seconds';

/** In Unix milliseconds. As an end, a date is the first moment of the next day. */
export const timeParameter = (which: 'beginning' | 'end') =>
  z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.refine((text) => seconds.test(text) || isDate(text) || dateTime.safeParse(text).success, problem),
        ),
      z.transform((text) =>
        seconds.test(text)
          ? Number(text) * 1000
          : Date.parse(text) + (which === 'end' && isDate(text) ? dayMs : 0),
      ),
    ),
  );
