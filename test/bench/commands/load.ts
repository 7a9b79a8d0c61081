/**
 * The command `npm run bench -- --load`: a thousand paced streams at a time and a steady rate of bodies through the local
 * gateway for some minutes. Every answer is checked; memory must not grow once it is warm.
 */
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../client.ts';
import { type Contender, startGateway } from '../contenders.ts';
import type { Load } from '../measured.ts';
import type { Options } from '../options.ts';
import { protocols } from '../protocols/all.ts';
import { number, writeTable } from '../report/table.ts';
import { loadTable } from '../report/tables.ts';
import { keepLoad } from '../report/write.ts';
import { commit, date } from '../run-info.ts';
import type { Usage } from '../servers/answer-usage.ts';
import type { Session } from '../session.ts';
import { median } from '../statistics.ts';

const streams = 1_000;
const bodiesPerSecond = 20;
const sampleMs = 10_000;

/** Half a minute each. */
const streamWork = { pieces: 60, paceMs: 500, messages: 3 };
const bodyWork = { pieces: 50, paceMs: 0, messages: 3 };

interface Tally {
  streams: number;
  bodies: number;
  readonly failures: string[];
}

interface Run {
  readonly contender: Contender;
  readonly client: Client;
  readonly tally: Tally;
  /** In milliseconds of `performance.now()`. */
  readonly until: number;
}

export async function runLoad(session: Session, { minutes }: Options): Promise<void> {
  const contender = await startGateway(session);
  session.servers.push(contender.process);
  const run: Run = {
    contender,
    client: createClient(contender.url),
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
    ...memoryOf(samples),
  };
  console.log(writeTable(loadTable(load)));
  for (const failure of new Set(run.tally.failures.slice(0, 10))) console.log(failure);
  await keepLoad(load);
  if (load.failed > 0 || load.grows) process.exitCode = 1;
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
async function ask({ contender, client, tally }: Run, turn: number, streamed: boolean): Promise<boolean> {
  const protocol = protocols[turn % protocols.length];
  if (!protocol) return false;
  try {
    await client.ask(contender.question(protocol, streamed ? streamWork : bodyWork, streamed));
    return true;
  } catch (thrown) {
    tally.failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    await setTimeout(1_000);
    return false;
  }
}

async function sample({ contender, tally, until }: Run): Promise<readonly Usage[]> {
  const samples: Usage[] = [];
  while (performance.now() < until) {
    await setTimeout(Math.min(sampleMs, Math.max(0, until - performance.now())));
    const usage = await contender.process.usage('collect');
    samples.push(usage);
    const { streams, bodies, failures } = tally;
    console.log(
      `${streams} streams, ${bodies} bodies, ${failures.length} failed; ${megabytes(usage.held)} MB held, ${megabytes(usage.resident)} resident`,
    );
  }
  return samples;
}

const megabytes = (bytes: number) => number(bytes / 1024 / 1024);

/** What memory may drift without growing. */
const drift = 1.05;

/** All streams run, and have been renewed, after the first quarter. */
function memoryOf(samples: readonly Usage[]): Pick<Load, 'heldWarm' | 'heldEnd' | 'grows'> {
  const warm = samples.slice(Math.ceil(samples.length / 4)).map(({ held }) => held / 1024 / 1024);
  const third = Math.ceil(warm.length / 3);
  const [heldWarm, heldEnd] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  return { heldWarm, heldEnd, grows: heldEnd > heldWarm * drift };
}
