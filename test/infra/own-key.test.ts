/** A stack with a key of the operator: what is encrypted with it, and who may use it for what. */
import { describe, expect, test } from 'vitest';
import { tables } from '../../lib/core/tables.ts';
import { readStack } from './read-template.ts';

const key = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
const given = { kmsKeyArn: key, exportBucket: 'acme-exports' };
const { outputs, functionFor, functionOf, roleOf, statementsOf } = readStack(given);

/** What the role of a function may do with keys. */
const keyUsesOf = (functionId: string) =>
  statementsOf(roleOf(functionId)).filter(({ Action }) =>
    [Action].flat().some((action) => action.startsWith('kms:')),
  );

const viaService = (service: string) => ({
  'kms:ViaService': [
    { 'Fn::Join': ['', [`${service}.`, { Ref: 'AWS::Region' }, '.amazonaws.com']] },
    { 'Fn::Join': ['', [`${service}.`, { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] },
  ],
});

const throughTables = {
  Action: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
    (action) => `kms:${action}`,
  ),
  Condition: { StringEquals: viaService('dynamodb') },
};

const throughParameters = {
  Action: 'kms:Decrypt',
  Condition: {
    StringEquals: viaService('ssm'),
    StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': expect.anything() },
  },
};

const allowed = (use: object) => ({ Effect: 'Allow', Resource: key, ...use });

test('encrypts every table', () => {
  const found = readStack(given, 'data').propertiesOf('AWS::DynamoDB::GlobalTable');
  expect(found).toHaveLength(Object.keys(tables).length);
  for (const properties of found)
    expect(properties).toMatchObject({
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ SSESpecification: { KMSMasterKeyId: key } }],
    });
});

describe('may be used', () => {
  test('through tables and provider keys by functions that call models', () => {
    const uses = keyUsesOf(functionFor({ method: 'POST', path: '/v1/chat/completions' }));
    expect(uses).toHaveLength(3);
    expect(uses).toEqual(
      expect.arrayContaining([
        allowed(throughTables),
        allowed(throughParameters),
        allowed({
          Action: 'kms:Decrypt',
          Condition: { StringLike: { 'kms:EncryptionContext:credential': 'cred_*' } },
        }),
      ]),
    );
    expect(JSON.stringify(uses)).toContain(':parameter/ModelGateway/providers/*');
  });

  test.each(['GET /v1/models', 'Adds up the ledger', 'Exports the ledger'])(
    'through tables only by the function that is for: %s',
    (description) => {
      expect(keyUsesOf(functionOf(description))).toEqual([allowed(throughTables)]);
    },
  );

  test('by the seed, to write the models and to make the secret of the stack', () => {
    const uses = keyUsesOf(functionOf('Writes the models'));
    const [secret] = uses.filter(
      ({ Action }) => [Action].flat().includes('kms:GenerateDataKey') && [Action].flat().length === 2,
    );
    expect(uses).toEqual(expect.arrayContaining([allowed(throughTables)]));
    expect(uses).toHaveLength(2);
    expect(JSON.stringify(secret)).toContain(':parameter/ModelGateway/providers/gateway/secret');
  });

  test('by no function that uses no table', () => {
    expect(keyUsesOf(functionFor({ method: 'GET', path: '/v1/openapi.json' }))).toEqual([]);
  });

  test('for nothing else', () => {
    const uses = statementsOf().filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
    expect(uses.filter(({ Resource, Condition }) => Resource !== key || !Condition)).toEqual([]);
  });
});

test('is an output, for the commands that set provider keys', () => {
  expect(outputs.KmsKey).toMatchObject({ Value: key });
});
