/**
 * Objects of which a request gives few fields. zod runs the schema of every field, also of those that are absent: in a chat request
 * forty, for nothing. Here only those run that are given. What does not simply pass is read by zod itself, so that every issue is
 * zod's own.
 */
import type * as z from 'zod/mini';
import { isJsonObject } from '../core/formats/json-object.ts';

interface Field {
  readonly key: string;
  readonly schema: z.core.$ZodType['_zod'];
  /** Whether the object reads the same without it, given that it is absent. */
  readonly isOptional: boolean;
}

/** The schema, which from then on runs only the schemas of given fields. For objects whose absent fields have no default. */
export function givenFields<Schema extends z.ZodMiniObject>(schema: Schema): Schema {
  const { parse: parseAll, run, def } = schema._zod;
  const isStrict = def.catchall?._zod.def.type === 'never';
  let fields: readonly Field[] | undefined;
  const parse: typeof parseAll = (payload, context) => {
    fields ??= fieldsOf(def.shape);
    const given: unknown = payload.value;
    const read = isJsonObject(given) ? readGiven(given, fields, context) : undefined;
    if (!read || (isStrict && Object.keys(given as object).some((key) => !Object.hasOwn(def.shape, key))))
      return parseAll(payload, context);
    payload.value = read;
    return payload;
  };
  // Without checks of its own, a schema has one function for both; with some, they run after `parse`.
  Object.assign(schema._zod, run === parseAll ? { parse, run: parse } : { parse });
  return schema;
}

function fieldsOf(shape: z.core.$ZodShape): readonly Field[] {
  return Object.entries(shape).map(([key, { _zod }]) => ({
    key,
    schema: _zod,
    isOptional: _zod.optin === 'optional' && _zod.optout === 'optional',
  }));
}

/** Undefined where a field is missing or wrong. */
function readGiven(
  given: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  context: z.core.ParseContextInternal,
): object | undefined {
  const read: Record<string, unknown> = {};
  for (const { key, schema, isOptional } of fields) {
    if (!(key in given)) {
      if (isOptional) continue;
      return undefined;
    }
    const result = schema.run({ value: given[key], issues: [] }, context);
    if (result instanceof Promise || result.issues.length > 0) return undefined;
    read[key] = result.value;
  }
  return read;
}
