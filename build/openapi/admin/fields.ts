/**
 * The descriptions of the fields of the dashboard's API. A name means the same wherever it is, unless a component or an operation has a
 * description of its own for it: `Component.name`. Times are Unix seconds.
 */

import { accessDescriptions } from './fields/access.ts';
import { commonDescriptions } from './fields/common.ts';
import { figureDescriptions } from './fields/figures.ts';
import { guardrailDescriptions } from './fields/guardrails.ts';
import { modelDescriptions } from './fields/models.ts';
import { requestDescriptions } from './fields/requests.ts';
import { tenantDescriptions } from './fields/tenants.ts';

export const descriptionGroups: readonly Readonly<Record<string, string>>[] = [
  requestDescriptions,
  figureDescriptions,
  modelDescriptions,
  accessDescriptions,
  commonDescriptions,
  tenantDescriptions,
  guardrailDescriptions,
];

export const fieldDescriptions: Readonly<Record<string, string>> = Object.assign({}, ...descriptionGroups);
