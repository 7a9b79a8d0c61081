/** More rows of the catalog: copies of one that ships with the gateway, written in batches. */
import { seedRows } from '../../../infra/catalog/seed.ts';
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import { isJsonObject } from '../../../lib/core/formats/json-object.ts';
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { partitionKey } from '../../../lib/core/tables.ts';
import { toItem } from '../../../lib/stores/dynamodb/attribute-values.ts';
import { openaiProtocol } from '../protocols/openai.ts';

/** What BatchWriteItem takes. */
const batchSize = 25;

export const copiedModel = (number: number): string => `${openaiProtocol.model}-copy-${number}`;

/** Writes so many copies. */
export async function fillCatalog(call: AwsCall, count: number): Promise<void> {
  const original = seedRows.find((row) => isJsonObject(row) && row.id === openaiProtocol.model);
  if (!isJsonObject(original)) throw new Error(`The catalog has no ${openaiProtocol.model}.`);
  const { aliases: _, ...row } = original;
  const copies = Array.from({ length: count }, (__, number) => {
    const id = copiedModel(number);
    return toItem({ [partitionKey]: `model#${id}`, source: 'operator', row: { ...row, id } });
  });
  const batches = Array.from({ length: Math.ceil(copies.length / batchSize) }, (_, index) =>
    copies.slice(index * batchSize, (index + 1) * batchSize),
  );
  await mapConcurrently(batches, 4, async (batch) => {
    const catalog = batch.map((Item) => ({ PutRequest: { Item } }));
    await call('DynamoDB_20120810.BatchWriteItem', { RequestItems: { catalog } });
  });
}
