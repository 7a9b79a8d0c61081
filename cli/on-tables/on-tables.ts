/** Operations of the API of the dashboard, each as the function that it has over HTTP, on the tables. */
import { onCatalog } from './catalog.ts';
import { onCredentials } from './credentials.ts';
import { onGuardrails } from './guardrails.ts';
import { onMembers } from './members.ts';
import { onProviders } from './providers.ts';
import { onRequests } from './requests.ts';
import { onSubjects } from './subjects.ts';

/** By the name over HTTP. */
export const onTables = {
  ...onSubjects,
  ...onCredentials,
  ...onGuardrails,
  ...onRequests,
  ...onMembers,
  ...onCatalog,
  ...onProviders,
};

export type Operations = typeof onTables;
export type OperationName = keyof Operations;
