/**
 * The tables, a process of their own: the embedded database with the catalog and one key. Reads are real; writes are
 * answered at once and dropped. The ledger's two writes for each request would keep the database busier than the
 * gateway, and the result would be the speed of the database.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { request as send } from 'undici';
import { seedCatalog } from '../../../infra/catalog/seed.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { startDatabase } from '../../../local/database.ts';
import { announce, listen } from './announce.ts';

const dataDirectory = process.env.BENCH_DATA;
if (dataDirectory === undefined) throw new Error('BENCH_DATA is missing.');

const { call, endpoint } = await startDatabase({ dataDirectory });
const { username: accessKey, origin } = new URL(endpoint);
await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
const { secret } = await createKeyStore({ call, table: 'access' }).create({ tenant: 'bench' });

function isWrite({ headers }: IncomingMessage): boolean {
  return /\.(PutItem|UpdateItem|BatchWriteItem)$/.test(String(headers['x-amz-target']));
}

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, async (request, response) => {
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  if (isWrite(request)) {
    request.resume().once('end', () => response.end('{}'));
    return;
  }
  const { 'content-length': _, host: __, ...headers } = request.headers;
  const body = Readable.from(request);
  const answer = await send(origin, { method: 'POST', headers, body });
  response.writeHead(answer.statusCode).end(await answer.body.text());
});

// The functions sign with the database's access key.
const url = new URL(await listen(server));
url.username = accessKey;
announce({ url: url.href, apiKey: secret });
