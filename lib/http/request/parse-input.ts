/** Reads what a caller sent by a schema. Few requests are invalid: `validate.ts`, which says what is wrong, is loaded with the first. */
import type * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { parseSchema } from '../../core/formats/parse-schema.ts';

/** What a caller sent is invalid. Its message is not for the caller, who gets `explained`. */
export class InvalidInput extends Error {
  readonly issue: z.core.$ZodIssue | undefined;
  readonly value: unknown;

  constructor(issue: z.core.$ZodIssue | undefined, value: unknown) {
    super('The input is invalid.');
    this.issue = issue;
    this.value = value;
  }
}

/** The value as the schema reads it. Throws InvalidInput for the first problem. */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.core.output<Schema> {
  const result = parse(schema, value);
  if (result.success) return result.data;
  throw new InvalidInput(result.error.issues[0], value);
}

/**
 * Very many problems overflow the stack while zod collects them. It also compares the `length` of what should be a text or a
 * list, which fails for an object that says it is none.
 */
function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown) {
  try {
    return parseSchema(schema, value);
  } catch (error) {
    if (error instanceof TypeError)
      throw new GatewayError(
        'invalid_request',
        "The request has a field 'length' where a text or a list is expected.",
      );
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError('invalid_request', 'The request has too many invalid values.');
  }
}
