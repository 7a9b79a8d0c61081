import { webOperations } from '../../../server/web/web-operations.ts';

/**
 * What runs the operations: `event` has one Lambda function for each operation; `web` has Web Functions for those that generate
 * text; `fargate` has a server of all operations.
 */
export const computes = ['event', 'web', 'fargate'] as const;
export type Compute = (typeof computes)[number];

/** Whether it is an event function, which alone has concurrency, versions and aliases. By the name of an operation, `background` or `aggregate`. */
export function hasEventFunction(name: string, compute: Compute): boolean {
  if (compute === 'fargate') return name === 'aggregate';
  return compute === 'event' || !webOperations.some((operation) => operation === name);
}
