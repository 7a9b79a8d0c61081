import { expect, test } from 'vitest';
import { hashApiKey } from '../../lib/core/names/api-key.ts';
import { keyItemPrefix, partitionKey, sortKey } from '../../lib/core/tables.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { latestVersion, versionAttribute } from '../../lib/stores/dynamodb/schema-version.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { startDatabase } from '../../local/database.ts';
import { captureLog } from '../harness/captured-log.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';

const model = 'openai/gpt-5.5';
const question = { model, messages: [{ role: 'user', content: 'Name a colour.' }] };

const directory = newDirectory();

const database = use(() => startDatabase({ dataDirectory: directory }));
const gateway = use(() => startTestGateway({}, { database }));

const table = (name: string) => openTable({ call: database.call, table: name });

test('a key of a later version is refused, and the log says why', async () => {
  const { secret } = await createKeyStore({ call: database.call, table: 'access' }).create({
    tenant: 'later',
  });
  await table('access').set(keyItemPrefix + hashApiKey(secret), versionAttribute, latestVersion + 1);
  const log = captureLog();
  const answer = await gateway.post('/v1/chat/completions', question, { authorization: `Bearer ${secret}` });
  await answer.text();
  log.close();
  expect(answer.status).toBe(500);
  const lines = log.lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request');
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines[0])).toContain('LaterItem');
  expect((await gateway.post('/v1/chat/completions', question)).status).toBe(200);
});

test('a record of a later version is in no sum that is compared, and its error says what to do', async () => {
  await (await gateway.post('/v1/chat/completions', question)).text();
  await gateway.settled();
  const [record] = (await table('usage').scan('ledger#')).filter(({ state }) => state === 'done');
  const key = [String(record?.[partitionKey]), String(record?.[sortKey])] as const;
  const counters = await table('usage').scan('count#');
  await table('usage').set(key, versionAttribute, latestVersion + 1);
  await gateway.settled();
  const { code, stderr } = await runCommand(directory, 'usage reconcile --write');
  expect(code).toBe(1);
  expect(stderr).toContain('Deploy the later version again.');
  expect(await table('usage').scan('count#')).toEqual(counters);
});
