/**
 * What a call of DynamoDB must be allowed to do, with the values of DynamoDB's condition keys. Sources: docs.aws.amazon.com DynamoDB,
 * specifying-conditions (LeadingKeys, Attributes, ReturnValues, Select), and KMS, services-dynamodb.
 */
import { partitionKey } from '../../../../lib/core/tables.ts';
import type { AccessRequest, CallContext, Input } from '../service.ts';

export function dynamoDbAccess(
  action: string,
  input: Input,
  context: Pick<CallContext, 'region' | 'account'>,
  keyOf: (table: string) => string | undefined,
): readonly AccessRequest[] {
  // A batch names its tables, and the keys of each. Source: docs.aws.amazon.com DynamoDB, API_BatchGetItem.
  if (input.RequestItems !== undefined)
    return Object.entries(input.RequestItems as Readonly<Record<string, Input>>).flatMap(
      ([TableName, { Keys = [] }]) => dynamoDbAccess(action, { TableName, Keys }, context, keyOf),
    );
  const { region, account } = context;
  const table = String(input.TableName ?? '');
  const resource = `arn:aws:dynamodb:${region}:${account}:table/${table}`;
  const keys = leadingKeys(input);
  const attributes = attributesOf(input);
  const own: AccessRequest = {
    action: `dynamodb:${action}`,
    resource: table ? resource : '*',
    context: {
      ...(keys.length > 0 && { 'dynamodb:LeadingKeys': keys }),
      ...(attributes.length > 0 && { 'dynamodb:Attributes': attributes }),
      ...(input.ReturnValues !== undefined && { 'dynamodb:ReturnValues': [String(input.ReturnValues)] }),
      ...(input.Select !== undefined && { 'dynamodb:Select': [String(input.Select)] }),
    },
  };
  const key = keyOf(table);
  if (key === undefined) return [own];
  const viaService = { 'kms:ViaService': [`dynamodb.${region}.amazonaws.com`] };
  return [own, { action: 'kms:Decrypt', resource: key, context: viaService }];
}

type Value = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): readonly string[] => {
  const { S } = (value ?? {}) as { readonly S?: unknown };
  return typeof S === 'string' ? [S] : [];
};

/** The partition keys that a call names. A scan names none. */
function leadingKeys({
  Key,
  Keys,
  Item,
  KeyConditionExpression,
  ExpressionAttributeValues,
}: Input): readonly string[] {
  const direct = (Key ?? Item) as Value | undefined;
  if (direct) return textOf(direct[partitionKey]);
  if (Array.isArray(Keys)) return Keys.flatMap((key: Value) => textOf(key[partitionKey]));
  if (typeof KeyConditionExpression !== 'string') return [];
  const [, name = ''] = /(?:^|\s|\()(?:#?\w+) = (:\w+)/.exec(KeyConditionExpression) ?? [];
  return textOf((ExpressionAttributeValues as Value | undefined)?.[name]);
}

const words = new Set(
  'SET REMOVE ADD DELETE AND OR NOT BETWEEN IN attribute_exists attribute_not_exists attribute_type begins_with contains size if_not_exists list_append'.split(
    ' ',
  ),
);

/** The top-level attributes that a call names: of keys, items, projections, conditions and updates. */
function attributesOf(input: Input): readonly string[] {
  const names = (input.ExpressionAttributeNames ?? {}) as Readonly<Record<string, string>>;
  const expressions = [
    input.UpdateExpression,
    input.ConditionExpression,
    input.ProjectionExpression,
    input.FilterExpression,
    input.KeyConditionExpression,
  ].filter((text): text is string => typeof text === 'string');
  const read = expressions.flatMap((text) =>
    // A path may go on with members and elements of the attribute; a colon begins a value.
    [...text.matchAll(/(?<![\w#:.])(#?[A-Za-z_]\w*)/g)].map(([, name = '']) => names[name] ?? name),
  );
  const own = Object.keys((input.Item ?? input.Key ?? {}) as Value);
  return [...new Set([...own, ...read.filter((name) => !words.has(name))])];
}
