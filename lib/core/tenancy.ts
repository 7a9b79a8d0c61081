/**
 * What tenants and their keys may do: which models and operations, how often, for how much. Whatever is absent is not
 * limited.
 */
import { type OperationName, operations } from './operations.ts';

/** Money in nano-dollars. */
export interface Limits {
  readonly requestsPerMinute?: number;
  /** Input and output together. */
  readonly tokensPerMinute?: number;
  readonly concurrentRequests?: number;
  /** For a calendar month (UTC). */
  readonly monthlyBudget?: number;
  /** All that was ever paid in advance. */
  readonly credit?: number;
}

export interface Permissions {
  /** Ids of models, or all of an owner's: `owner/*`. */
  readonly models?: readonly string[];
  readonly operations?: readonly OperationName[];
}

/** Whether a text can stand in a list of models: an id, or all of an owner's. */
export function isModelPattern(text: string): boolean {
  return /^[^\s/*]+\/(\*|[^\s*]+)$/.test(text);
}

export function isOperationName(text: unknown): text is OperationName {
  return operations.some(({ name }) => name === text);
}

/** Whether a model is among those that are allowed. */
export function allowsModel({ models }: Permissions, id: string): boolean {
  if (!models) return true;
  return models.some((allowed) => allowed === id || allowed === `${id.slice(0, id.indexOf('/'))}/*`);
}

export function allowsOperation({ operations }: Permissions, name: OperationName): boolean {
  return operations === undefined || operations.includes(name);
}

/** Whether anything at all is limited: nothing is read or written for a request of those without limits. */
export function isLimited(limits: Limits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}
