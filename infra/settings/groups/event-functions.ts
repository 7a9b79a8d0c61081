/** Which operations are event functions: they alone have concurrency, versions and aliases. */
import { webOperations } from '../../../server/web/web-operations.ts';
import type { Compute } from './computes.ts';

/** By the name of an operation, or `aggregate`. */
export function hasEventFunction(name: string, compute: Compute): boolean {
  if (compute === 'fargate') return name === 'aggregate';
  return compute === 'event' || !webOperations.some((operation) => operation === name);
}
