/**
 * The command `npm run bench -- --load`: a thousand paced streams at a time and a steady rate of bodies through one process of
 * the server for some minutes, in the second half beside an attack. Every answer is checked; memory must not grow once it is warm,
 * first tokens and the event loop must not be late, and an attack may slow them to a third.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient, type Question } from '../client.ts';
import { type Gateway, type ServedGateway, startGateway } from '../contenders.ts';
import type { Load } from '../measured.ts';
import type { Options } from '../options.ts';
import { protocols } from '../protocols/all.ts';
import { anthropicProtocol } from '../protocols/anthropic.ts';
import type { Work } from '../protocols/protocol.ts';
import { number, writeTable } from '../report/table.ts';
import { loadTable } from '../report/tables.ts';
import { keepLoad } from '../report/write.ts';
import { commit, date } from '../run-info.ts';
import type { Metrics } from '../servers/served.ts';
import type { Session } from '../session.ts';
import { attack } from './attack.ts';
import { brokenBounds, type FirstToken, readFirstTokens, readSamples, type Sample } from './load-bounds.ts';

const bodiesPerSecond = 20;
/** Garbage is collected for each: seldom, so that the pauses are few. */
const sampleMs = 30_000;

/** In which all callers have come. */
const rampMs = 8_000;

/** Half a minute each. */
const streamWork: Work = { pieces: 60, paceMs: 500, messages: 3 };
const bodyWork: Work = { pieces: 50, paceMs: 0, messages: 3 };

const collect = join(import.meta.dirname, '../servers/collect.ts');

interface Tally {
  streams: number;
  bodies: number;
  readonly firstTokens: FirstToken[];
  readonly failures: string[];
}

interface Run {
  readonly gateway: ServedGateway;
  readonly client: Client;
  readonly tally: Tally;
  /** In milliseconds of `performance.now()`. */
  readonly begun: number;
  readonly until: number;
}

export async function runLoad(session: Session, { minutes, streams }: Options): Promise<void> {
  const gateway = await startGateway(session, ['--import', collect]);
  session.servers.push(gateway.process);
  const begun = performance.now();
  const until = begun + minutes * 60_000;
  const attackFromMs = (until - begun) / 2;
  const run: Run = {
    gateway,
    client: createClient(gateway.url),
    tally: { streams: 0, bodies: 0, firstTokens: [], failures: [] },
    begun,
    until,
  };
  const callers = Array.from({ length: streams }, (_, index) =>
    stream(run, index, (index * rampMs) / streams),
  );
  const attacked = setTimeout(attackFromMs).then(() => attack(gateway.url, session.apiKey, until));
  const [samples, attackers] = await Promise.all([sample(run), attacked, bodies(run), ...callers]);
  await run.client.close();
  const load: Load = {
    date: date(),
    commit: commit(),
    minutes,
    streamsAtOnce: streams,
    streams: run.tally.streams,
    bodies: run.tally.bodies,
    attackers,
    failed: run.tally.failures.length,
    ...readSamples(samples, attackFromMs),
    ...readFirstTokens(run.tally.firstTokens, { rampMs, attackFromMs }),
  };
  const broken = brokenBounds(load);
  console.log(writeTable(loadTable(load)));
  for (const failure of new Set(run.tally.failures.slice(0, 10))) console.log(failure);
  for (const bound of broken) console.log(`Broken: ${bound}`);
  await keepLoad(load);
  if (broken.length > 0) process.exitCode = 1;
}

/** One caller: one stream after the other. The callers start one by one, as in production. */
async function stream(run: Run, index: number, waitMs: number): Promise<void> {
  await setTimeout(waitMs);
  for (let turn = index; performance.now() < run.until; turn += 1) {
    if (await ask(run, streamQuestion(run.gateway, turn), true)) run.tally.streams += 1;
  }
}

async function bodies(run: Run): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let turn = 0; performance.now() < run.until; turn += 1) {
    const asked = ask(run, chatQuestion(run.gateway, turn, bodyWork, false), false).then((ok) => {
      if (ok) run.tally.bodies += 1;
      running.delete(asked);
    });
    running.add(asked);
    await setTimeout(1_000 / bodiesPerSecond);
  }
  await Promise.all(running);
}

/** In each upstream protocol in turn. */
function chatQuestion(gateway: Gateway, turn: number, work: Work, streamed: boolean): Question {
  const protocol = protocols[turn % protocols.length] ?? anthropicProtocol;
  return gateway.question(protocol, work, streamed);
}

/** Of chat, Messages and Responses in turn. */
function streamQuestion(gateway: Gateway, turn: number): Question {
  const others = [gateway.others.messages, gateway.others.responses];
  const other = others[turn % (others.length + 1)];
  // The protocols of chat's take turns as well.
  if (!other) return chatQuestion(gateway, Math.floor(turn / (others.length + 1)), streamWork, true);
  return other(anthropicProtocol, streamWork, true);
}

/** A failure is recorded, and the caller waits for a second. */
async function ask({ client, tally, begun }: Run, question: Question, streamed: boolean): Promise<boolean> {
  const atMs = performance.now() - begun;
  try {
    const { first } = await client.ask(question);
    if (streamed) tally.firstTokens.push({ atMs, first });
    return true;
  } catch (thrown) {
    tally.failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    await setTimeout(1_000);
    return false;
  }
}

async function sample({ gateway, tally, begun, until }: Run): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < until) {
    await setTimeout(Math.min(sampleMs, Math.max(0, until - performance.now())));
    const metrics = await gateway.metrics();
    samples.push({ ...metrics, atMs: performance.now() - begun });
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
