/**
 * The command `npm run bench -- --load`: a thousand paced streams at a time and a steady rate of bodies through one process of
 * the server for some minutes. Every answer is checked; memory must not grow once it is warm, and the event loop not be late.
 */
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../client.ts';
import { askGateway } from '../contenders.ts';
import type { Load } from '../measured.ts';
import type { Options } from '../options.ts';
import { protocols } from '../protocols/all.ts';
import { number, writeTable } from '../report/table.ts';
import { loadTable } from '../report/tables.ts';
import { keepLoad } from '../report/write.ts';
import { commit, date } from '../run-info.ts';
import { type Metrics, type Served, startServed } from '../servers/served.ts';
import type { Session } from '../session.ts';
import { brokenBounds, readSamples, type Sample } from './load-bounds.ts';

const bodiesPerSecond = 20;
const sampleMs = 5_000;
const printMs = 30_000;

/** Half a minute each. */
const streamWork = { pieces: 60, paceMs: 500, messages: 3 };
const bodyWork = { pieces: 50, paceMs: 0, messages: 3 };

interface Tally {
  streams: number;
  bodies: number;
  readonly failures: string[];
}

interface Run {
  readonly served: Served;
  readonly apiKey: string;
  readonly client: Client;
  readonly tally: Tally;
  /** In milliseconds of `performance.now()`. */
  readonly until: number;
}

export async function runLoad(session: Session, { minutes, streams }: Options): Promise<void> {
  const served = await startServed(session);
  session.servers.push(served.process);
  const run: Run = {
    served,
    apiKey: session.apiKey,
    client: createClient(served.url),
    tally: { streams: 0, bodies: 0, failures: [] },
    until: performance.now() + minutes * 60_000,
  };
  const callers = Array.from({ length: streams }, (_, index) => stream(run, index));
  const [samples] = await Promise.all([sample(run), bodies(run), ...callers]);
  await run.client.close();
  const load: Load = {
    date: date(),
    commit: commit(),
    minutes,
    streamsAtOnce: streams,
    streams: run.tally.streams,
    bodies: run.tally.bodies,
    failed: run.tally.failures.length,
    ...readSamples(samples),
  };
  const broken = brokenBounds(load);
  console.log(writeTable(loadTable(load)));
  for (const failure of new Set(run.tally.failures.slice(0, 10))) console.log(failure);
  for (const bound of broken) console.log(`Broken: ${bound}`);
  await keepLoad(load);
  if (broken.length > 0) process.exitCode = 1;
}

/** One caller: one stream after the other. The callers start one by one, as in production. */
async function stream(run: Run, index: number): Promise<void> {
  await setTimeout(index * 10);
  for (let turn = index; performance.now() < run.until; turn += 1) {
    if (await ask(run, turn, true)) run.tally.streams += 1;
  }
}

async function bodies(run: Run): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let turn = 0; performance.now() < run.until; turn += 1) {
    const asked = ask(run, turn, false).then((ok) => {
      if (ok) run.tally.bodies += 1;
      running.delete(asked);
    });
    running.add(asked);
    await setTimeout(1_000 / bodiesPerSecond);
  }
  await Promise.all(running);
}

/** In each protocol in turn. A failure is recorded, and the caller waits for a second. */
async function ask({ apiKey, client, tally }: Run, turn: number, streamed: boolean): Promise<boolean> {
  const protocol = protocols[turn % protocols.length];
  if (!protocol) return false;
  try {
    await client.ask(askGateway(apiKey, protocol, streamed ? streamWork : bodyWork, streamed));
    return true;
  } catch (thrown) {
    tally.failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    await setTimeout(1_000);
    return false;
  }
}

async function sample({ served, tally, until }: Run): Promise<readonly Sample[]> {
  const begun = performance.now();
  const samples: Sample[] = [];
  let printed = begun;
  while (performance.now() < until) {
    await setTimeout(Math.min(sampleMs, Math.max(0, until - performance.now())));
    const metrics = await served.metrics();
    const at = performance.now();
    samples.push({ ...metrics, atMs: at - begun });
    if (at - printed < printMs) continue;
    printed = at;
    print(tally, metrics);
  }
  return samples;
}

function print({ streams, bodies, failures }: Tally, { heap, resident, delay, refused }: Metrics): void {
  console.log(
    `${streams} streams, ${bodies} bodies, ${failures.length} failed, ${refused} refused; ${megabytes(heap)} MB heap, ${megabytes(resident)} resident; event loop ${number(delay)} ms late`,
  );
}

const megabytes = (bytes: number) => number(bytes / 1024 / 1024);
