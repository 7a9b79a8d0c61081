/** The schemas of the dashboard's API as JSON Schemas, each field with its description. */
import * as z from 'zod';
import { type JsonSchema, requestSchema, tidy } from '../json-schema.ts';
import { answerSchemas, componentNames } from './component-names.ts';
import { fieldDescriptions } from './fields.ts';

export type Components = Readonly<Record<string, JsonSchema>>;

/** Fields without a description, as `Component.field`; empty in a finished reference. */
export const undescribed = new Set<string>();

/** What a caller sends: parameters or a body. `name`: for descriptions that are this one's alone. */
export const inputSchema = (name: string, schema: z.core.$ZodType): JsonSchema =>
  described(name, requestSchema(schema));

export function adminComponents(): Components {
  const { $defs = {} } = z.toJSONSchema(z.union(answerSchemas as [z.core.$ZodType]), {
    io: 'output',
    metadata: componentNames,
    unrepresentable: 'any',
  });
  const text = JSON.stringify($defs).replaceAll('#/$defs/', '#/components/schemas/');
  const schemas: Components = JSON.parse(text, (_key, value) => withoutClosing(value));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { id: _, ...schema }]: [string, JsonSchema & { id?: string }]) => [
      name,
      described(name, tidy(schema)),
    ]),
  );
}

/** Answers may get more fields: clients must accept fields that they do not know. */
function withoutClosing(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  const { additionalProperties, ...schema } = value as JsonSchema;
  return additionalProperties === false ? schema : value;
}

/** A description by component and field, else by field: a name means the same everywhere unless a component has its own. */
function described(component: string, schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, ...rest } = schema;
  const inside = (one: JsonSchema) => described(component, one);
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          { description: descriptionOf(component, name), ...inside(field) },
        ]),
      ),
    }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(oneOf && { oneOf: oneOf.map(inside) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : inside(additionalProperties),
    }),
  };
}

function descriptionOf(component: string, name: string): string {
  const found = fieldDescriptions[`${component}.${name}`] ?? fieldDescriptions[name];
  if (found === undefined) undescribed.add(`${component}.${name}`);
  return found ?? '';
}
