/** What a function of the dashboard is: it serves one operation, whose endpoint it loads. */
import type * as z from 'zod/mini';
import type { AdminEndpoint, OpenEndpoint, PageFiles } from '../../lib/core/admin/admin-endpoint.ts';
import { type AdminOperationName, adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin, serveOpen } from '../../lib/http/admin/serve-admin.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { type AdminRuntime, adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

/** What the build puts beside the program. */
export interface AdminFiles {
  readonly openapi: () => Promise<object>;
  readonly page: () => Promise<PageFiles>;
}

export interface Asked {
  readonly name: AdminOperationName;
  readonly variables: Variables;
  readonly files: AdminFiles;
}

export type AdminFunctions = Readonly<
  Partial<Record<AdminOperationName, (asked: Asked) => Promise<Handler>>>
>;

type Schema = z.core.$ZodType;
type Load<Endpoint> = (runtime: AdminRuntime, asked: Asked) => Promise<Endpoint>;

/** For people whose role may call the operation. */
export const forRoles =
  <P extends Schema, B extends Schema>(load: Load<AdminEndpoint<P, B>>) =>
  async (asked: Asked): Promise<Handler> => {
    const runtime = adminRuntime(asked.variables);
    return serveAdmin(adminOperationNamed(asked.name), await load(runtime, asked), runtime);
  };

/** For everybody. */
export const open =
  <P extends Schema, B extends Schema>(load: Load<OpenEndpoint<P, B>>) =>
  async (asked: Asked): Promise<Handler> => {
    const runtime = adminRuntime(asked.variables);
    return serveOpen(adminOperationNamed(asked.name), await load(runtime, asked), runtime);
  };

/** For people whose role may call the operation: those of several endpoints that need the same parts. */
export const ofParts =
  <Found>(find: (runtime: AdminRuntime, asked: Asked) => Promise<Found>) =>
  <P extends Schema, B extends Schema>(choose: (found: Found) => AdminEndpoint<P, B>) =>
    forRoles(async (runtime, asked) => choose(await find(runtime, asked)));
