/**
 * The stream of the ledger, as it can be at its worst: batches come again whole or in halves, overlap with those before, or are
 * lost with the process that works on them.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamEvent, StreamRecord } from '../../../lib/stores/usage/stream.ts';
import type { Random } from '../../harness/random.ts';
import { type Child, startChild } from './child.ts';

export interface Delivery {
  /** For `startFeed`: rejects if the batch must come again. */
  handle(event: object): Promise<void>;
  /** How often what happened to a batch. */
  readonly counts: ReadonlyMap<string, number>;
  /** From now on all goes well, in a process whose clock is so much later. */
  calm(shiftMs: number): Promise<void>;
  close(): Promise<void>;
}

type Batch = StreamEvent & { readonly Records: readonly StreamRecord[] };

type Start = Omit<Parameters<typeof startChild>[0], 'file'>;

/** One after the other. */
const ways = ['whole', 'killed', 'twice', 'in halves', 'overlapping', 'lost', 'whole', 'whole'] as const;

export async function startDelivery(start: Start, random: Random): Promise<Delivery> {
  let { shiftMs } = start;
  const launch = () => startChild({ ...start, shiftMs, file: 'aggregator-process.ts' });
  const counts = new Map<string, number>();
  let child = await launch();
  let isCalm = false;
  let batches = 0;
  let before: readonly StreamRecord[] = [];
  const invoke = (event: Batch) => ask(child, event);
  const handlers: Readonly<Record<(typeof ways)[number], (event: Batch) => Promise<void>>> = {
    whole: invoke,
    async twice(event) {
      await invoke(event);
      await invoke(event);
    },
    async 'in halves'(event) {
      const half = Math.ceil(event.Records.length / 2);
      await invoke({ ...event, Records: event.Records.slice(0, half) });
      await invoke(event);
    },
    overlapping: (event) => invoke({ ...event, Records: [...before, ...event.Records] }),
    async lost(event) {
      await invoke(event);
      throw new Error('The answer is lost.');
    },
    async killed(event) {
      const work = invoke(event).catch(() => undefined);
      await pause(random.between(0, 60));
      await child.kill();
      await work;
      child = await launch();
      throw new Error('The process was killed.');
    },
  };
  const handle = async (event: Batch) => {
    const way = isCalm ? 'whole' : (ways[batches++ % ways.length] ?? 'whole');
    counts.set(way, (counts.get(way) ?? 0) + 1);
    await handlers[way](event);
    // Only records of the same shard can come again with others.
    before = event.Records.slice(-20);
  };
  let working = Promise.resolve();
  return {
    counts,
    handle(given) {
      working = handle(given as Batch);
      return working;
    },
    async calm(laterMs) {
      isCalm = true;
      shiftMs = laterMs;
      // It may be starting a process.
      await working.catch(() => undefined);
      await child.kill();
      child = await launch();
    },
    close: () => child.kill(),
  };
}

let asked = 0;

interface Outcome {
  readonly number: number;
  readonly hasFailed?: true;
}

/** Rejects if it fails, or if the process ends. */
async function ask({ process: child }: Child, event: Batch): Promise<void> {
  if (!child.connected) throw new Error('The process has ended.');
  asked += 1;
  const number = asked;
  const ended = new AbortController();
  const failed: Outcome = { number, hasFailed: true };
  const closed = once(child, 'close', { signal: ended.signal }).then(
    () => failed,
    () => failed,
  );
  const answered = new Promise<Outcome>((resolve) => {
    const take = (outcome: Outcome) => {
      if (outcome.number !== number) return;
      child.off('message', take);
      resolve(outcome);
    };
    child.on('message', take);
  });
  // A process that ends now takes no message, and closes.
  child.send({ number, event }, () => {});
  const { hasFailed } = await Promise.race([answered, closed]);
  ended.abort();
  if (hasFailed) throw new Error('The batch failed.');
}
