/**
 * Writes test/released/<name>: the items that a release makes of one day's use, and what is to be found in them. Run it once for each release,
 * after its row is in `releases.ts`: `node test/released/record.ts <name>`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableNames } from '../../lib/core/tables.ts';
import type { Item } from '../../lib/stores/dynamodb/attribute-values.ts';
import { startDatabase } from '../../local/database.ts';
import { releases } from './releases.ts';
import { startRelease, unpack } from './run-release.ts';
import { firstDay, model } from './use-gateway.ts';

const [name = ''] = process.argv.slice(2);
const release = releases.find((one) => one.name === name);
if (!release) throw new Error(`There is no release ${name} in releases.ts.`);

/** Of the catalog, one model is enough. */
const isKept = (table: string, item: Item) =>
  table !== 'catalog' || (item.pk && 'S' in item.pk && item.pk.S === `model#${model}`);

const target = join(import.meta.dirname, name);
const data = mkdtempSync(join(tmpdir(), 'gateway-record-'));
const unpacked = unpack(release.commit);
const at = Date.now();
const gateway = await startRelease(unpacked.folder, data);
const facts = await firstDay(gateway);
await gateway.close();
const database = await startDatabase({ dataDirectory: data });
mkdirSync(target, { recursive: true });
const write = (file: string, content: object) =>
  writeFileSync(join(target, `${file}.json`), `${JSON.stringify(content, null, 1)}\n`);
for (const table of tableNames) {
  const { Items } = await database.call('DynamoDB_20120810.Scan', { TableName: table });
  write(
    table,
    (Items as readonly Item[]).filter((item) => isKept(table, item)),
  );
}
write('facts', { ...facts, at });
await database.close();
unpacked.remove();
rmSync(data, { recursive: true });
