/**
 * The Lambda functions of the dashboard: one program for all of them, in which each loads the operation that `GATEWAY_OPERATION`
 * names. A server asks for each by its name.
 */
import { join } from 'node:path';
import { lazy } from '../lib/async/lazy.ts';
import { type AdminOperationName, adminOperations } from '../lib/core/admin/admin-operations.ts';
import { routesOf } from '../lib/core/routes.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { readDocument } from '../lib/runtime/read-document.ts';
import type { AdminFiles, AdminFunctions } from './admin/admin-function.ts';
import { catalogFunctions } from './admin/catalog.ts';
import { credentialFunctions } from './admin/credentials.ts';
import { guardrailFunctions } from './admin/guardrails.ts';
import { keyFunctions } from './admin/keys.ts';
import { memberFunctions } from './admin/members.ts';
import { pageFunctions } from './admin/page.ts';
import { providerFunctions } from './admin/providers.ts';
import { sessionFunctions } from './admin/sessions.ts';
import { tenantFunctions } from './admin/tenants.ts';
import { usageFunctions } from './admin/usage.ts';

const builtFiles: AdminFiles = {
  openapi: async () => readDocument('admin-openapi'),
  page: lazy(async () => {
    const { readPageFiles } = await import('../lib/runtime/admin/page-files.ts');
    return await readPageFiles(join(import.meta.dirname, 'page'));
  }),
};

const functions: Required<AdminFunctions> = {
  ...sessionFunctions,
  ...keyFunctions,
  ...tenantFunctions,
  ...guardrailFunctions,
  ...credentialFunctions,
  ...memberFunctions,
  ...providerFunctions,
  ...catalogFunctions,
  ...usageFunctions,
  ...pageFunctions,
};

export const isAdminFunction = (name: string): name is AdminOperationName => Object.hasOwn(functions, name);

/** The function of an operation in an environment, with those that it serves, too. Rejects if there is none of this name. */
export async function create(
  variables: Variables,
  name = variables.GATEWAY_OPERATION ?? '',
  files = builtFiles,
): Promise<Handler> {
  if (!isAdminFunction(name)) throw new RangeError(`GATEWAY_OPERATION names no operation: '${name}'.`);
  const own = await functions[name]({ name, variables, files });
  const others = adminOperations.filter(({ servedBy }) => servedBy === name);
  if (others.length === 0) return own;
  return async (request, host) => {
    // Of a path that has several methods, each is an operation of its own.
    const other = others.find(
      (operation) => operation.method === request.method && routesOf(operation).includes(request.template),
    );
    const handler = other ? await functions[other.name]({ name: other.name, variables, files }) : own;
    return await handler(request, host);
  };
}
