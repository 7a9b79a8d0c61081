/**
 * The tables, a process of their own: the embedded database with the catalog and one key. Reads are real, but a scan that was
 * made before is answered as it was then; writes are answered at once and dropped. The ledger's two writes for each request, and
 * the scan of the catalog at the start of a function, would keep the database busier than the gateway, and the result would be the
 * speed of the database.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
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

const actionOf = ({ headers }: IncomingMessage): string => String(headers['x-amz-target']);

const isWrite = (request: IncomingMessage): boolean =>
  /\.(PutItem|UpdateItem|BatchWriteItem)$/.test(actionOf(request));

/** Answers of scans, by what was asked. */
const scans = new Map<string, string>();

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, async (request, response) => {
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  if (isWrite(request)) {
    request.resume().once('end', () => response.end('{}'));
    return;
  }
  const { 'content-length': _, host: __, ...headers } = request.headers;
  const body = await text(request);
  const known = scans.get(body);
  if (known !== undefined) {
    response.end(known);
    return;
  }
  const answer = await send(origin, { method: 'POST', headers, body });
  const answered = await answer.body.text();
  if (actionOf(request).endsWith('.Scan') && answer.statusCode === 200) scans.set(body, answered);
  response.writeHead(answer.statusCode).end(answered);
});

// The functions sign with the database's access key.
const url = new URL(await listen(server));
url.username = accessKey;
announce({ url: url.href, apiKey: secret });
