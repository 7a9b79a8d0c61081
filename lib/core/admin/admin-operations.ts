/**
 * The route table of the dashboard's operations, composed of the rows of each topic in `admin/`. The stack of the dashboard, the
 * server, the reference and the tests loop over this table; paths appear nowhere else.
 */

import { batchOperations } from './batches.ts';
import { catalogOperations } from './catalog.ts';
import { credentialOperations } from './credentials.ts';
import { guardrailOperations } from './guardrails.ts';
import { managementKeyOperations } from './management-keys.ts';
import { memberOperations } from './members.ts';
import type { AdminOperation } from './row.ts';
import { pageOperations, serviceOperations } from './services.ts';
import { sessionOperations, signInOperations } from './sign-in.ts';
import { subjectOperations } from './subjects.ts';
import { usageOperations } from './usage.ts';

export type { AdminOperation } from './row.ts';

const rows = [
  ...sessionOperations,
  ...subjectOperations,
  ...credentialOperations,
  ...guardrailOperations,
  ...signInOperations,
  ...memberOperations,
  ...managementKeyOperations,
  ...pageOperations,
  ...serviceOperations,
  ...catalogOperations,
  ...usageOperations,
  ...batchOperations,
] as const;

export type AdminOperationName = (typeof rows)[number]['name'];

export const adminOperations: readonly (AdminOperation & { readonly name: AdminOperationName })[] = rows.map(
  (row) => ({ timeoutSeconds: 30, ...row }),
);

/** Those with a function in AWS. */
export const deployedAdminOperations = adminOperations.filter(({ onServersOnly }) => !onServersOnly);

export function adminOperationNamed(name: AdminOperationName): AdminOperation {
  const found = adminOperations.find((operation) => operation.name === name);
  if (!found) throw new RangeError(`No operation is named ${name}.`);
  return found;
}
