/**
 * The command `npm run bench -- --load`: a thousand paced streams at a time and a steady rate of bodies through the local
 * gateway for some minutes. Every answer is checked; memory must not grow once it is warm.
 */
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from './client.ts';
import { type Contender, startGateway } from './contenders.ts';
import type { Options } from './options.ts';
import type { Ground } from './places.ts';
import { number, writeTable } from './report/table.ts';
import type { Usage } from './servers/answer-usage.ts';
import { median } from './statistics.ts';
import { wires } from './wires/all.ts';

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

interface Load {
  readonly contender: Contender;
  readonly client: Client;
  readonly tally: Tally;
  /** In milliseconds of `performance.now()`. */
  readonly until: number;
}

export async function runLoad(ground: Ground, { minutes }: Options): Promise<void> {
  const contender = await startGateway(ground);
  ground.servers.push(contender.process);
  const load: Load = {
    contender,
    client: createClient(contender.url),
    tally: { streams: 0, bodies: 0, failures: [] },
    until: performance.now() + minutes * 60_000,
  };
  const callers = Array.from({ length: streams }, (_, index) => stream(load, index));
  const [samples] = await Promise.all([sample(load), bodies(load), ...callers]);
  await load.client.close();
  report(load.tally, samples, minutes);
}

/** One caller: a stream, and the next one. They begin one after the other, as people come. */
async function stream(load: Load, index: number): Promise<void> {
  await setTimeout(index * 10);
  for (let turn = index; performance.now() < load.until; turn += 1) {
    if (await ask(load, turn, true)) load.tally.streams += 1;
  }
}

async function bodies(load: Load): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let turn = 0; performance.now() < load.until; turn += 1) {
    const asked = ask(load, turn, false).then((ok) => {
      if (ok) load.tally.bodies += 1;
      running.delete(asked);
    });
    running.add(asked);
    await setTimeout(1_000 / bodiesPerSecond);
  }
  await Promise.all(running);
}

/** Over the wires by turns. A failure is kept, and the caller takes a breath. */
async function ask({ contender, client, tally }: Load, turn: number, streamed: boolean): Promise<boolean> {
  const wire = wires[turn % wires.length];
  if (!wire) return false;
  try {
    await client.ask(contender.question(wire, streamed ? streamWork : bodyWork, streamed));
    return true;
  } catch (thrown) {
    tally.failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    await setTimeout(1_000);
    return false;
  }
}

async function sample({ contender, tally, until }: Load): Promise<readonly Usage[]> {
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

function report({ streams, bodies, failures }: Tally, samples: readonly Usage[], minutes: number): void {
  // All streams run, and all have been renewed, after the first part.
  const warm = samples.slice(Math.ceil(samples.length / 4));
  const early = warm.slice(0, Math.ceil(warm.length / 3)).map(({ held }) => held);
  const late = warm.slice(-Math.ceil(warm.length / 3)).map(({ held }) => held);
  const grows = median(late) > median(early) * drift;
  const head = ['minutes', 'streams', 'bodies', 'failed', 'held once warm', 'held at the end', 'grows'];
  const row = [`${minutes}`, `${streams}`, `${bodies}`, `${failures.length}`];
  const memory = [`${megabytes(median(early))} MB`, `${megabytes(median(late))} MB`, grows ? 'yes' : 'no'];
  console.log(writeTable({ title: 'Load', head, rows: [[...row, ...memory]] }));
  for (const failure of new Set(failures.slice(0, 10))) console.log(failure);
  if (failures.length > 0 || grows) process.exitCode = 1;
}
