/** Reserved concurrency of the functions: none, unless the operator sets it. */
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { makeStack } from './synthesize.ts';

function reserved(reservedConcurrency: ReadonlyMap<string, number>) {
  const { stack } = makeStack({ reservedConcurrency });
  const functions = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
  return functions.flatMap(({ Properties }) =>
    Properties.ReservedConcurrentExecutions === undefined
      ? []
      : [[Properties.Description, Properties.ReservedConcurrentExecutions]],
  );
}

test('no function reserves any by default', () => {
  expect(reserved(new Map())).toEqual([]);
});

test('a function reserves what its setting names', () => {
  const settings = new Map([
    ['chat-completions', 100],
    ['models', 10],
    ['aggregate', 5],
  ]);
  expect(reserved(settings)).toEqual([
    ['POST /v1/chat/completions', 100],
    ['GET /v1/models', 10],
    [expect.stringContaining('Adds up the ledger'), 5],
  ]);
});
