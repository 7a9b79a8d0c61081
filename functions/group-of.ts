/** One Lambda of several operations. */
import type { FunctionGroup, Operation, OperationName } from '../lib/core/operations.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { serveGroup } from '../lib/http/serve-group.ts';
import type { Variables } from '../lib/runtime/environment.ts';

type CreateHandler = (variables: Variables) => Handler;

export const groupOf =
  (
    rows: readonly Operation[],
    group: FunctionGroup,
    creators: Readonly<Partial<Record<OperationName, CreateHandler>>>,
  ): CreateHandler =>
  (variables) =>
    serveGroup(
      rows.filter((operation) => operation.function === group),
      Object.fromEntries(Object.entries(creators).map(([name, create]) => [name, create(variables)])),
    );
