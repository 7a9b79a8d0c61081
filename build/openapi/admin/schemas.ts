/** The schemas of the dashboard's API as JSON Schemas, each field with its description. */
import * as z from 'zod';
import { alertSchema } from '../../../lib/admin/alerts/schema.ts';
import { auditSchema } from '../../../lib/admin/audit/schema.ts';
import { healthSchema } from '../../../lib/admin/health-schema.ts';
import { keySchema } from '../../../lib/admin/keys/schema.ts';
import { managementKeySchema } from '../../../lib/admin/management-keys/schema.ts';
import { deploymentSchema, modelSchema, priceSchema } from '../../../lib/admin/models/schema.ts';
import { providerSchema } from '../../../lib/admin/providers/schema.ts';
import { attemptSchema, requestRowSchema } from '../../../lib/admin/requests/schema.ts';
import { limitsSchema, limitUseSchema, userLimitsSchema } from '../../../lib/admin/tenancy-schema.ts';
import { adjustmentSchema } from '../../../lib/admin/tenants/invoice-schema.ts';
import { tenantSchema } from '../../../lib/admin/tenants/schema.ts';
import { figuresSchema, pointSchema } from '../../../lib/admin/usage/schema.ts';
import { type Components, type JsonSchema, namedSchemas, requestSchema } from '../json-schema.ts';
import { fieldDescriptions } from './fields.ts';
import { adminReference } from './reference.ts';

/** The parts of answers that have a name. */
const componentNames = z.registry<{ id: string }>();

const parts: Readonly<Record<string, z.core.$ZodType>> = {
  Adjustment: adjustmentSchema,
  Attempt: attemptSchema,
  Alert: alertSchema,
  AuditRecord: auditSchema,
  Figures: figuresSchema,
  Health: healthSchema,
  Key: keySchema,
  Limits: limitsSchema,
  LimitUse: limitUseSchema,
  ManagementKey: managementKeySchema,
  Model: modelSchema,
  Deployment: deploymentSchema,
  Point: pointSchema,
  Price: priceSchema,
  Provider: providerSchema,
  Request: requestRowSchema,
  Tenant: tenantSchema,
  UserLimits: userLimitsSchema,
};

for (const [id, schema] of Object.entries(parts)) componentNames.add(schema, { id });
for (const { answer } of Object.values(adminReference))
  if (answer && !componentNames.has(answer[1])) componentNames.add(answer[1], { id: answer[0] });

/** The schemas of answers, without repetition. */
const answerSchemas: readonly z.core.$ZodType[] = [
  ...new Set(Object.values(adminReference).flatMap(({ answer }) => (answer ? [answer[1]] : []))),
];

/** Fields without a description, as `Component.field`; empty in a finished reference. */
export const undescribed = new Set<string>();

/** What a caller sends: parameters or a body. `name`: for descriptions that are this one's alone. */
export const inputSchema = (name: string, schema: z.core.$ZodType): JsonSchema =>
  described(name, requestSchema(schema));

export function adminComponents(): Components {
  const schemas = namedSchemas(answerSchemas, { metadata: componentNames, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, described(name, schema)]));
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
