/** A parameter of a query that is an id: where a list goes on. */
import * as z from 'zod/mini';
import { isIdOf } from '../core/names/new-id.ts';

export const idQuery = (prefix: string, what: string) =>
  z.optional(z.string().check(z.refine((text) => isIdOf(prefix, text), `must be the id of ${what}`)));
