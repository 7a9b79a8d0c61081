/** The permissions and limits of tenants and their keys. An absent permission or limit does not restrict anything. */
import { type OperationName, operations } from './operations.ts';

/** Amounts are in nano-dollars. */
export interface Limits {
  readonly requestsPerMinute?: number;
  /** Input and output tokens together. */
  readonly tokensPerMinute?: number;
  readonly concurrentRequests?: number;
  /** Per calendar month (UTC). */
  readonly monthlyBudget?: number;
  /** The total of all prepayments. */
  readonly credit?: number;
}

export interface Permissions {
  /** Ids of models, or `owner/*` for all models of an owner. */
  readonly models?: readonly string[];
  readonly operations?: readonly OperationName[];
}

/** Whether a text is valid in a list of models: an id, or `owner/*`. */
export function isModelPattern(text: string): boolean {
  return /^[^\s/*]+\/(\*|[^\s*]+)$/.test(text);
}

export function isOperationName(text: unknown): text is OperationName {
  return operations.some(({ name }) => name === text);
}

/** Whether the permissions include a model. */
export function allowsModel({ models }: Permissions, id: string): boolean {
  if (!models) return true;
  return models.some((allowed) => allowed === id || allowed === `${id.slice(0, id.indexOf('/'))}/*`);
}

export function allowsOperation({ operations }: Permissions, name: OperationName): boolean {
  return operations === undefined || operations.includes(name);
}

/** Whether there is any limit. Requests without limits cause no reads or writes. */
export function isLimited(limits: Limits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}
