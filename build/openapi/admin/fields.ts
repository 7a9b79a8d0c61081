/**
 * The descriptions of the fields of the dashboard's API. A name means the same wherever it is, unless a component or an operation has a
 * description of its own for it: `Component.name`. Times are Unix seconds.
 */

import { alertDescriptions } from './fields/alerts.ts';
import { auditDescriptions } from './fields/audit.ts';
import { batchDescriptions } from './fields/batches.ts';
import { catalogDescriptions } from './fields/catalog.ts';
import { commonDescriptions } from './fields/common.ts';
import { credentialDescriptions } from './fields/credentials.ts';
import { figureDescriptions } from './fields/figures.ts';
import { guardrailDescriptions } from './fields/guardrails.ts';
import { keyDescriptions } from './fields/keys.ts';
import { managementKeyDescriptions } from './fields/management-keys.ts';
import { memberDescriptions } from './fields/members.ts';
import { modelDescriptions } from './fields/models.ts';
import { priceDescriptions } from './fields/prices.ts';
import { providerDescriptions } from './fields/providers.ts';
import { requestDescriptions } from './fields/requests.ts';
import { sessionDescriptions } from './fields/session.ts';
import { tenantDescriptions } from './fields/tenants.ts';

export const descriptionGroups: readonly Readonly<Record<string, string>>[] = [
  commonDescriptions,
  sessionDescriptions,
  tenantDescriptions,
  keyDescriptions,
  figureDescriptions,
  requestDescriptions,
  modelDescriptions,
  providerDescriptions,
  memberDescriptions,
  alertDescriptions,
  auditDescriptions,
  priceDescriptions,
  batchDescriptions,
  credentialDescriptions,
  guardrailDescriptions,
  managementKeyDescriptions,
  catalogDescriptions,
];

export const fieldDescriptions: Readonly<Record<string, string>> = Object.assign({}, ...descriptionGroups);
