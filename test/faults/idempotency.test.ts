/** Requests with the header `Idempotency-Key` while the database fails: none is sent to a provider without its claim, and none is locked out. */
import { expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { type ChooseFault, type StoreFault, startFaultyStore } from '../harness/store-faults.ts';
import { use } from '../harness/use.ts';

const store = use(() => startFaultyStore());
const gateway = use(() => startTestGateway({}, { database: store }));
const ledger = use(() => openLedger());

/** Which write of a kept answer fails, by what its item has. */
interface Fault {
  readonly name: string;
  readonly of: '"running"' | '"answered"' | '"data"';
  readonly fault: StoreFault;
  /** How often; a write is tried three times. */
  readonly times: number;
}

/** `billed`: the first request and the one that is sent again. */
interface Outcome {
  readonly status: number;
  readonly replayed: string | null;
  readonly billed: number;
}

function failing({ of, fault, times }: Fault): ChooseFault {
  let left = times;
  return (action, _table, body) => {
    if (action !== 'PutItem' || !body.includes('answer#') || !body.includes(of) || left === 0)
      return undefined;
    left -= 1;
    return fault;
  };
}

async function ask(key: string) {
  const body = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hello.' }] };
  const response = await gateway.post('/v1/chat/completions', body, { 'idempotency-key': key });
  await response.text();
  return { status: response.status, replayed: response.headers.get('idempotent-replayed') };
}

const records = async () => (await ledger.recordsOf('local')).length;

const claimFails = { of: '"running"', status: 500, replayed: null, billed: 1 } as const;
const keepFails = { status: 200, replayed: null, billed: 2 } as const;
const isKept = { status: 200, replayed: 'true', billed: 1 } as const;

test.each<Fault & Outcome>([
  { name: 'the claim is not written', fault: 'failed', times: 3, ...claimFails },
  { name: 'no answer to the claim arrives', fault: 'done unheard', times: 3, ...claimFails },
  {
    name: 'the first answer to the claim is lost',
    of: '"running"',
    fault: 'done unheard',
    times: 1,
    ...isKept,
  },
  { name: 'a piece of the answer is not written', of: '"data"', fault: 'failed', times: 3, ...keepFails },
  { name: 'the end is not written', of: '"answered"', fault: 'failed', times: 3, ...keepFails },
  { name: 'no answer to the end arrives', of: '"answered"', fault: 'done unheard', times: 3, ...isKept },
])('where $name, the key is free or has its answer', async ({ status, replayed, billed, ...fault }) => {
  const before = await records();
  store.setFaults(failing(fault));
  const first = await ask(fault.name);
  store.setFaults(undefined);
  expect(first).toEqual({ status, replayed: null });
  expect(await ask(fault.name)).toEqual({ status: 200, replayed });
  expect((await records()) - before).toBe(billed);
});
