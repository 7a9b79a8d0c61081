/** The parts of answers of the dashboard's API that have a name in its OpenAPI document. */
import * as z from 'zod';
import { auditSchema } from '../../../lib/admin/audit/schema.ts';
import { healthSchema } from '../../../lib/admin/health-schema.ts';
import { keySchema } from '../../../lib/admin/keys/schema.ts';
import { deploymentSchema, modelSchema, priceSchema } from '../../../lib/admin/models/schema.ts';
import { providerSchema } from '../../../lib/admin/providers/schema.ts';
import { attemptSchema, requestRowSchema } from '../../../lib/admin/requests/schema.ts';
import { limitsSchema, limitUseSchema, userLimitsSchema } from '../../../lib/admin/tenancy-schema.ts';
import { adjustmentSchema, tenantSchema } from '../../../lib/admin/tenants/schema.ts';
import { figuresSchema, pointSchema } from '../../../lib/admin/usage/schema.ts';
import { adminReference } from './reference.ts';

export const componentNames = z.registry<{ id: string }>();

const parts: Readonly<Record<string, z.core.$ZodType>> = {
  Adjustment: adjustmentSchema,
  Attempt: attemptSchema,
  AuditRecord: auditSchema,
  Figures: figuresSchema,
  Health: healthSchema,
  Key: keySchema,
  Limits: limitsSchema,
  LimitUse: limitUseSchema,
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
export const answerSchemas: readonly z.core.$ZodType[] = [
  ...new Set(Object.values(adminReference).flatMap(({ answer }) => (answer ? [answer[1]] : []))),
];
