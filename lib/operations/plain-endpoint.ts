/** An operation whose input is its request, as the schema accepts it. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint.ts';

type Plain<Schema extends z.core.$ZodType> = Endpoint<Schema, z.output<Schema>>;

export const plainEndpoint = <Schema extends z.core.$ZodType>(
  request: Pick<Plain<Schema>, 'schema' | 'hasNoBody' | 'form'>,
  answer: Plain<Schema>['answer'],
): Plain<Schema> => ({ ...request, read: (input) => input, answer });
