/** The functions of the stack: their runtime and variables, and who may write keys and tenants. What roles allow is in roles-used.test.ts. */
import { isDeepStrictEqual } from 'node:util';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../lib/core/catalog/model-endpoints.ts';
import { functionNameOf, operations } from '../../lib/core/operations.ts';
import { servedFunctions } from '../../lib/core/served-functions.ts';
import { tables } from '../../lib/core/tables.ts';
import { readStack } from './read-template.ts';

const { template, propertiesOf, functionOf, functionFor, propertiesOfFunction, statementsOf } = readStack();

/** A resource of a policy, with logical ids reduced to the names in the stack. */
function readable(resource: unknown): string {
  const {
    'Fn::Join': join,
    'Fn::GetAtt': attribute,
    'Fn::GetStackOutput': output,
    Ref: reference,
  } = resource as Record<string, [string, unknown[]]> & {
    'Fn::GetStackOutput'?: { OutputName: string };
    Ref?: string;
  };
  if (reference) return reference.replace(/[0-9A-F]{8}$/, '');
  if (output) return output.OutputName.replace(/Arn$/, '');
  if (attribute) return attribute[0].replace(/[0-9A-F]{8}$/, '');
  return (
    join?.[1].map((part) => (typeof part === 'string' ? part : '*')).join('') ?? JSON.stringify(resource)
  );
}

describe('functions', () => {
  test.each(servedFunctions)('$name has our defaults and the names of its tables', (served) => {
    const found = propertiesOfFunction(functionOf(`${served.method} ${served.paths[0]}`));
    expect(found).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: Math.max(256, ...served.operations.map(({ minMemory = 0 }) => minMemory)),
      Handler: 'index.handler',
      Timeout: served.timeoutSeconds,
    });
    const columns = ['reads', 'writes', 'updates', 'queries', 'deletes'] as const;
    const used = new Set(
      served.operations.flatMap((operation) => columns.flatMap((column) => operation[column] ?? [])),
    );
    const known = [...used].map((name) => tables[name].environmentVariable);
    const variables = Object.keys(found.Environment.Variables);
    expect(variables).toEqual(expect.arrayContaining(['POWERTOOLS_SERVICE_NAME', 'LOG_LEVEL', ...known]));
    expect(variables.filter((name) => name.endsWith('_TABLE')).sort()).toEqual(known.sort());
  });

  test('a function that calls providers has the path of their keys', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'POST /v1/chat/completions',
      Environment: {
        Variables: Match.objectLike({
          PROVIDER_PARAMETERS_PREFIX: '/ModelGateway/providers',
          GATEWAY_CACHE_SECONDS: '3600',
        }),
      },
    });
  });

  test('functions that call models write the ledger, and count unpriced, differing and lost records', () => {
    // Others only end the records of responses that never began.
    const keepers = operations.filter(({ endpoint, writes }) => endpoint && writes?.includes('usage'));
    expect(new Set(keepers.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
    for (const operation of keepers) {
      const { Environment, LoggingConfig } = propertiesOfFunction(functionFor(operation));
      expect(Environment.Variables).toMatchObject({ GATEWAY_LEDGER_DAYS: '90' });
      const filters = propertiesOf('AWS::Logs::MetricFilter').filter(({ LogGroupName }) =>
        isDeepStrictEqual(LogGroupName, LoggingConfig.LogGroup),
      );
      expect(filters.map(({ FilterPattern }) => FilterPattern).sort()).toEqual([
        '{ $.message = "usage cost differs" }',
        '{ $.message = "usage record lost" }',
        '{ $.message = "usage unpriced" }',
      ]);
    }
  });

  test('a function may write the last use of a key or credential, the aggregator the use of credit, and nothing else', () => {
    const writes = statementsOf().filter(
      ({ Action, Resource }) =>
        [Action].flat().some((action) => /^dynamodb:(Put|Update|Delete|Batch|Partiql)/i.test(action)) &&
        [Resource].flat().some((on) => readable(on) === 'AccessTable'),
    );
    const isOfKeys = ({ Condition }: { Condition?: object }) =>
      JSON.stringify(Condition)?.includes('"key#*"');
    expect(writes.filter(isOfKeys)).toHaveLength(
      // And the function that creates responses in the background.
      new Set(operations.filter(({ endpoint }) => endpoint !== undefined).map(functionNameOf)).size + 1,
    );
    const isOfCredentials = ({ Condition }: { Condition?: object }) =>
      JSON.stringify(Condition)?.includes('"credential-use#*"');
    expect(writes.filter(isOfCredentials)).toHaveLength(writes.filter(isOfKeys).length);
    for (const { Condition } of writes.filter(isOfCredentials))
      expect(Condition).toMatchObject({
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['pk', 'last_used_at', 'last_failed_at', 'last_failure'],
        },
      });
    // Its conditions are in the test of the aggregator.
    expect(writes.filter((write) => !isOfKeys(write) && !isOfCredentials(write))).toEqual([
      expect.objectContaining({
        Condition: expect.objectContaining({
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['tenant#*'] },
        }),
      }),
    ]);
    for (const { Action, Condition } of writes.filter(isOfKeys)) {
      expect({ Action, Condition }).toEqual({
        Action: 'dynamodb:UpdateItem',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['key#*'] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'last_used_at'] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        },
      });
    }
  });

  test('every function, including that of the library, logs to a group that expires after a month', () => {
    const groups = template.findResources('AWS::Logs::LogGroup');
    for (const { LoggingConfig } of propertiesOf('AWS::Lambda::Function'))
      expect(groups[LoggingConfig.LogGroup.Ref]?.Properties.RetentionInDays).toBe(30);
  });
});

test.each([
  [[], []],
  [
    [
      ['chat-completions', 100],
      ['models', 10],
      ['aggregate', 5],
    ],
    [
      ['POST /v1/chat/completions', 100],
      ['GET /v1/models', 10],
      [expect.stringContaining('Adds up the ledger'), 5],
    ],
  ],
] as [[string, number][], unknown[]][])(
  'with the setting %j, functions reserve that much',
  (given, expected) => {
    const functions = readStack({ reservedConcurrency: new Map(given) }).propertiesOf(
      'AWS::Lambda::Function',
    );
    expect(
      functions
        .filter(({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined)
        .map((found) => [found.Description, found.ReservedConcurrentExecutions]),
    ).toEqual(expected);
  },
);
