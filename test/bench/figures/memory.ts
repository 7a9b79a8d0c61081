/** Memory: after many requests, and for each stream that is under way. */
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../client.ts';
import type { Contender, StartContender } from '../contenders.ts';
import type { Memory } from '../measured.ts';
import { protocols } from '../protocols/all.ts';
import type { Protocol } from '../protocols/protocol.ts';

const megabyte = 1024 * 1024;

interface MemoryEffort {
  readonly requests: number;
  readonly streams: number;
}

/** In a fresh process, so that nothing else has used any. */
export async function measureMemory(start: StartContender, effort: MemoryEffort): Promise<Memory> {
  const contender = await start();
  const client = createClient(contender.url);
  try {
    return await measure(contender, client, effort);
  } finally {
    await client.close();
    await contender.process.close();
  }
}

async function measure(contender: Contender, client: Client, { requests, streams }: MemoryEffort) {
  const [protocol] = protocols;
  if (!protocol) throw new Error('There is no protocol.');
  await ask(contender, client, protocol, Math.min(1_000, requests));
  const before = await memoryOf(contender);
  await ask(contender, client, protocol, requests);
  const after = await memoryOf(contender);
  // The first time, connections are opened and buffers are made that stay.
  await hold(contender, client, protocol, streams);
  const held = await hold(contender, client, protocol, streams);
  return { contender: contender.name, requests, before, after, streams, ...held };
}

async function memoryOf({ process }: Contender) {
  const { resident, held } = await process.usage('collect');
  return { resident: resident / megabyte, held: held / megabyte };
}

async function ask(
  contender: Contender,
  client: Client,
  protocol: Protocol,
  requests: number,
): Promise<void> {
  const question = contender.question(protocol, { pieces: 50, paceMs: 0, messages: 3 }, false);
  let left = requests;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      await client.ask(question);
    }
  };
  await Promise.all(Array.from({ length: 16 }, call));
}

/** Each piece comes after a second, so that most of the time all streams wait, as they do for a model. */
async function hold(contender: Contender, client: Client, protocol: Protocol, streams: number) {
  const question = contender.question(protocol, { pieces: 8, paceMs: 1_000, messages: 3 }, true);
  const running = Promise.all(Array.from({ length: streams }, () => client.ask(question)));
  // An early failure is reported below.
  running.catch(() => {});
  await setTimeout(4_500);
  const during = await memoryOf(contender);
  await running;
  const after = await memoryOf(contender);
  const perStream = ((during.held - after.held) * 1024) / streams;
  return { perStream, residentWithStreams: during.resident };
}
