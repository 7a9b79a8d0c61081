/** One Lambda of several operations. */
import { type FunctionGroup, type OperationName, operationsOf } from '../lib/core/operations.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { serveGroup } from '../lib/http/serve-group.ts';
import type { Variables } from '../lib/runtime/environment.ts';

type CreateHandler = (variables: Variables) => Handler;

export const groupOf =
  (group: FunctionGroup, creators: Readonly<Partial<Record<OperationName, CreateHandler>>>): CreateHandler =>
  (variables) =>
    serveGroup(
      operationsOf(group),
      Object.fromEntries(Object.entries(creators).map(([name, create]) => [name, create(variables)])),
    );
