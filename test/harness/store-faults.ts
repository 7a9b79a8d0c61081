/**
 * The gateway's own database with faults between it and the gateway: what it is asked goes through, is refused, comes late,
 * or is done without an answer.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import { listen } from './listening.ts';

export type StoreFault =
  /** Refused with status 500; nothing was done. */
  | 'failed'
  /** Refused for being too much at once; nothing was done. */
  | 'throttled'
  /** The connection ends without an answer; nothing was done. */
  | 'hung up'
  /** The same, but it was done. */
  | 'done unheard'
  /** Never answered. */
  | 'silent'
  /** Answered after so many milliseconds. */
  | number;

/** What happens to a call, for example `PutItem` on the table `usage`; undefined: nothing. */
export type ChooseFault = (action: string, table: string, body: string) => StoreFault | undefined;

export interface FaultyStore extends Pick<LocalDatabase, 'changes'> {
  /** For the gateway. */
  readonly endpoint: string;
  /** Calls of the test itself, without faults. */
  readonly call: AwsCall;
  /** How often there was which fault. */
  readonly counts: ReadonlyMap<string, number>;
  /** How long it has had no request. */
  idleMs(): number;
  /** Applies from now on; undefined: no faults. */
  setFaults(choose: ChooseFault | undefined): void;
  close(): Promise<void>;
}

/** In a directory of its own, which is removed with it, unless one is given. */
export async function startFaultyStore(given?: string): Promise<FaultyStore> {
  const dataDirectory = given ?? (await mkdtemp(join(tmpdir(), 'gateway-')));
  const database = await startDatabase({ dataDirectory });
  const { username: accessKey, origin } = new URL(database.endpoint);
  const counts = new Map<string, number>();
  let choose: ChooseFault | undefined;
  let lastCall = performance.now();
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    lastCall = performance.now();
    const action = String(incoming.headers['x-amz-target']).replace(/^.*\./, '');
    const { TableName, RequestItems = {} } = JSON.parse(body.toString());
    const table = TableName ?? Object.keys(RequestItems)[0] ?? '';
    const fault = choose?.(action, table, body.toString());
    if (fault !== undefined) {
      const name = `${action}: ${typeof fault === 'number' ? 'slow' : fault}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const work = () => ask(origin, incoming.headers, body);
    // The database may close a connection that was idle.
    await answer(response, fault, work).catch(() => void response.socket?.resetAndDestroy());
  });
  await listen(server);
  return {
    endpoint: `http://${accessKey}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    call: database.call,
    changes: database.changes,
    counts,
    idleMs: () => performance.now() - lastCall,
    setFaults(faults) {
      choose = faults;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await database.close();
      if (given === undefined) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

async function ask(endpoint: string, headers: object, body: Buffer): Promise<Answered> {
  const kept = ['authorization', 'content-type', 'x-amz-target', 'x-amz-date', 'x-amz-security-token'];
  const signed = Object.entries(headers).filter(([name]) => kept.includes(name));
  const response = await fetch(endpoint, { method: 'POST', headers: Object.fromEntries(signed), body });
  return { status: response.status, text: await response.text() };
}

async function answer(
  response: ServerResponse,
  fault: StoreFault | undefined,
  work: () => Promise<Answered>,
): Promise<void> {
  if (fault === 'silent') return;
  if (fault === 'failed') return send(response, refusal(500, 'InternalServerError'));
  if (fault === 'throttled') return send(response, refusal(400, 'ProvisionedThroughputExceededException'));
  if (fault === 'hung up') return void response.socket?.resetAndDestroy();
  if (typeof fault === 'number') await pause(fault);
  const answered = await work();
  if (fault === 'done unheard') response.socket?.resetAndDestroy();
  else send(response, answered);
}

const refusal = (status: number, type: string): Answered => ({
  status,
  text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'An injected fault.' }),
});

function send(response: ServerResponse, { status, text }: Answered): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
}
