/** The query of a usage request: the time span, the grouping and the page. */

import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { type Group, groupNames, isGroup } from './groups.ts';

export const maxDays = 366;

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });

/** Rows of one page. */
export const maxUsageRows = 1_000;

/** Each name is part of every row. */
export const maxGroups = 10;

const isDate = (text: string) => date.safeParse(text).success;

/** A date means the whole day: as a beginning its first moment, as an end the first moment of the next day. */
const time = (which: 'beginning' | 'end') =>
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => isDate(text) || dateTime.safeParse(text).success,
          'must be a date such as 2026-01-31, or a time with its zone such as 2026-01-31T12:00:00Z',
        ),
      ),
    z.transform((text) => Date.parse(text) + (which === 'end' && isDate(text) ? dayMs : 0)),
  );

const groupBy = z.pipe(
  z.pipe(
    z._default(z.union([z.string(), z.array(z.string())]), 'day'),
    z.transform((names) => [...new Set([names].flat().flatMap((name) => name.split(',')))]),
  ),
  z.custom<readonly Group[], string[]>(
    (names) => Array.isArray(names) && names.length <= maxGroups && names.every(isGroup),
    `must be a list of: ${groupNames.join(', ')}`,
  ),
);

export const usageSchema = z.strictObject({
  from: z.optional(time('beginning')),
  to: z.optional(time('end')),
  group_by: groupBy,
  limit: z._default(queryIntegerBetween(1, maxUsageRows), 100),
  after: z.optional(z.string()),
});

export interface Question extends Span {
  readonly groupBy: readonly Group[];
  readonly limit: number;
  /** The cursor from the previous page. */
  readonly after?: string | undefined;
}

/** `to` defaults to the end of today, `from` to the start of the month that contains the end. */
export function readQuestion(query: z.infer<typeof usageSchema>, now: number): Question {
  const { group_by, limit, after } = query;
  const to = query.to ?? (Math.floor(now / dayMs) + 1) * dayMs;
  const from = query.from ?? beginningOfMonth(to - 1);
  if (from >= to) throw wrong('from', "must be before 'to'");
  if (to - from > maxDays * dayMs) throw wrong('from', `must be at most ${maxDays} days before 'to'`);
  return { from, to, groupBy: group_by, limit, after };
}

export function beginningOfMonth(milliseconds: number): number {
  const date = new Date(milliseconds);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

export function wrong(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}
