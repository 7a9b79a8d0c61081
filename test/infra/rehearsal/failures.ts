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
  data: ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket'],
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

/** The table that `npm run rehearse` prints for a stack: one line for neighbours in the order of creation that leave the same. */
export function failureTable(failures: readonly Failure[]): string {
  const lines: { first: number; last: number; at: string; left: string }[] = [];
  for (const [index, { at, left: resources }] of failures.entries()) {
    const left = countByType(resources);
    const previous = lines.at(-1);
    if (previous?.left === left) previous.last = index + 1;
    else lines.push({ first: index + 1, last: index + 1, at, left });
  }
  const rows = lines.map(({ first, last, at, left }) => [
    first === last ? `${first}` : `${first}-${last}`,
    at,
    left,
  ]);
  const all = [['failure at', 'the first of them', 'stays behind'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

function countByType(resources: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of resources.map(typeOf)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ') || 'nothing';
}
