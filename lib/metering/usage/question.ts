/** The query of a usage request: the time span, the grouping and the page. */

import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { queryIntegerBetween, timeParameter } from '../../core/formats/query-schema.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { type Group, groupNames, isGroup } from './groups.ts';

const maxDays = 366;

/** Rows of one page. */
export const maxUsageRows = 1_000;

/** Each name is part of every row. */
const maxGroups = 10;

/** Names of groups, repeated or separated by commas. */
export const groupsParameter = <Name extends string>(
  isName: (name: unknown) => name is Name,
  names: readonly string[],
) =>
  z.pipe(
    z.pipe(
      z._default(z.union([z.string(), z.array(z.string())]), 'day'),
      z.transform((given) => [...new Set([given].flat().flatMap((name) => name.split(',')))]),
    ),
    z.custom<readonly Name[], string[]>(
      (given) => Array.isArray(given) && given.length <= maxGroups && given.every(isName),
      `must be a list of up to ${maxGroups} of: ${names.join(', ')}`,
    ),
  );

export const pageParameters = {
  limit: z._default(queryIntegerBetween(1, maxUsageRows), 100),
  after: z.optional(z.string()),
};

export const usageSchema = z.strictObject({
  from: timeParameter('beginning'),
  to: timeParameter('end'),
  group_by: groupsParameter(isGroup, groupNames),
  ...pageParameters,
});

export interface Question extends Span {
  readonly groupBy: readonly Group[];
  readonly limit: number;
  /** The cursor from the previous page. */
  readonly after?: string | undefined;
}

export function readQuestion(query: z.infer<typeof usageSchema>, now: number): Question {
  const { group_by, limit, after } = query;
  return { ...spanOf(query, now), groupBy: group_by, limit, after };
}

interface Times {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** `to` defaults to the end of today, `from` to the start of the month that contains the end. */
export function spanOf(times: Times, now: number): Span {
  const to = times.to ?? (Math.floor(now / dayMs) + 1) * dayMs;
  return checkedSpan({ from: times.from ?? beginningOfMonth(to - 1), to }, maxDays);
}

/** @throws GatewayError that names the field. */
export function checkedSpan(span: Span, days: number): Span {
  if (span.from >= span.to) throw wrong('from', "must be before 'to'");
  if (span.to - span.from > days * dayMs) throw wrong('from', `must be at most ${days} days before 'to'`);
  return span;
}

function beginningOfMonth(milliseconds: number): number {
  const date = new Date(milliseconds);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

export function wrong(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}
