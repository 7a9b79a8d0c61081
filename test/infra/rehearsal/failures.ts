/** What a failed creation leaves, at whatever resource it fails, and what of it is unexpected. */
import { creationOrder, type StackTemplate } from './graph.ts';
import { type Account, createStack } from './rehearse.ts';

/** A creation that failed, and the next one. */
export interface Failure {
  /** The logical id of the resource at which it failed. */
  readonly at: string;
  /** What is still there after the rollback, as type and logical id. */
  readonly left: readonly string[];
  /** The resource at which the next attempt fails because of that; undefined if it succeeds. */
  readonly collision: string | undefined;
}

/** One for each resource of the template, in the order of creation. */
export function failuresOf(template: StackTemplate): readonly Failure[] {
  const order = creationOrder(template);
  return order.map((at) => {
    const account: Account = new Map();
    const { left } = createStack(template, account, { order, attempt: 1, failing: at });
    const { collision } = createStack(template, account, { order, attempt: 2 });
    return { at, left, collision };
  });
}

/** What may stay: tables, logs that bill, the role that serves every API of the region, and a pool of people, which is protected. */
export const mayStay = {
  data: ['AWS::DynamoDB::GlobalTable'],
  gateway: ['AWS::Logs::LogGroup', 'AWS::IAM::Role', 'AWS::ApiGateway::Account'],
  admin: ['AWS::Cognito::UserPool', 'AWS::Logs::LogGroup'],
} as const;

/** Sentences; none if nothing but types of `allowed` stays, and the next attempt succeeds after every failure. */
export function surprisesIn(failures: readonly Failure[], allowed: readonly string[]): readonly string[] {
  return failures.flatMap(({ at, left, collision }) => [
    ...left
      .filter((resource) => !allowed.includes(typeOf(resource)))
      .map((resource) => `After a failure at ${at}, ${resource} stays.`),
    ...(collision === undefined ? [] : [`After a failure at ${at}, ${collision} is there already.`]),
  ]);
}

/** The type of a resource that is given as type and logical id. */
export const typeOf = (resource: string): string => resource.split(' ')[0] ?? '';
