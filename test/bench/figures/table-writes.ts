/** What a request writes to the usage table, with its limits and with open streams beside it: counted at the real database. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '../../../lib/core/tenancy.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { unitsOf, watchCalls, writesOf } from '../../cost/request-writes.ts';
import { captureLog } from '../../harness/captured-log.ts';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { startFaultyStore } from '../../harness/store-faults.ts';
import { answerJson, startUpstream, type UpstreamScript } from '../../harness/upstream.ts';
import type { TableWrites } from '../measured.ts';

const wide: Limits = { requestsPerMinute: 1_000_000, monthlyBudget: 1_000_000_000_000 };

const cases = [
  { limits: 'none', open: 0 },
  { limits: 'none', open: 50 },
  { limits: 'key and tenant', open: 0 },
  { limits: 'key and tenant', open: 50 },
] as const;

const answer = answerJson({
  id: 'one',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Something.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const question = {
  model: 'openai/gpt-4.1',
  max_completion_tokens: 50,
  messages: [{ role: 'user', content: 'Say something.' }],
};

export async function measureTableWrites(directory: string): Promise<readonly TableWrites[]> {
  const data = join(directory, 'table-writes');
  await mkdir(data);
  const log = captureLog();
  const store = await startFaultyStore(data);
  const upstream = await startUpstream();
  const gateway = await startTestGateway(
    { OPENAI_API_KEY: 'test', OPENAI_UPSTREAM_URL: `${upstream.url}/v1` },
    { database: store },
  );
  const access = { call: store.call, table: 'access' };
  const isQuiet = async () => {
    await gateway.settled();
    while (store.idleMs() < 100) await pause(20);
  };
  const measured: TableWrites[] = [];
  try {
    for (const [index, { limits, open }] of cases.entries()) {
      const name = `writes-${index}`;
      const own = limits === 'none' ? {} : { limits: wide };
      await createTenantStore(access).create(name, own);
      const { secret } = await createKeyStore(access).create({ tenant: name, ...own });
      const ask = async () => {
        const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(question) };
        const response = await fetch(`${gateway.url}/v1/chat/completions`, init);
        if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
        await response.text();
      };
      const release = Promise.withResolvers<void>();
      const held: UpstreamScript = async (request, response) => {
        await release.promise;
        await answer(request, response);
      };
      upstream.script(held);
      const others = Array.from({ length: open }, ask);
      while (upstream.requests.length < open) await pause(20);
      await isQuiet();
      upstream.script(answer);
      const calls = watchCalls(store);
      await ask();
      await isQuiet();
      store.setFaults(undefined);
      const writes = writesOf(calls);
      const units = await unitsOf(store.call, writes);
      measured.push({ limits, open, writes: writes.length, units });
      release.resolve();
      await Promise.all(others);
    }
    return measured;
  } finally {
    await gateway.close();
    await upstream.close();
    await store.close();
    log.release();
  }
}
