/** Parses a value with a schema, so that an issue about an unknown key also lists the keys that are known beside it. */
import * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/**
 * The message of an issue whose schema gives none. Said here, because zod's own default depends on which of its packages the
 * process has loaded first.
 */
export const noMessage = 'Invalid input';

interface KnownKeys {
  knownKeys?: readonly string[];
}

/**
 * Only the first problem is reported, and a list of wrong values may be long: zod's `validate` stops there by the same option of its
 * context, which its types leave out.
 */
const firstProblem = { abortEarly: true };

export function parseSchema<Schema extends z.core.$ZodType>(schema: Schema, value: unknown) {
  return z.safeParse(schema, value, {
    ...firstProblem,
    error(issue) {
      // A property of the raw issue stays on the final one, which no longer holds its schema.
      if (issue.code === 'unrecognized_keys') Object.assign(issue, { knownKeys: keysOf(issue.inst) });
      return noMessage;
    },
  });
}

export const knownKeysOf = (issue: Issue & KnownKeys): readonly string[] => issue.knownKeys ?? [];

function keysOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}
