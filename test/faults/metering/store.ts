/** Faults of the gateway's own store, a small share of every type, the same in every run. */
import type { ChooseFault, StoreFault } from '../../harness/store-faults.ts';

interface Share {
  /** Per thousand calls. */
  readonly of1000: number;
  readonly fault: StoreFault;
}

const writes: readonly Share[] = [
  { of1000: 35, fault: 'failed' },
  { of1000: 25, fault: 'throttled' },
  { of1000: 20, fault: 'hung up' },
  { of1000: 25, fault: 'done unheard' },
  { of1000: 25, fault: 150 },
  // Longer than an answer waits for its record.
  { of1000: 6, fault: 2_400 },
  { of1000: 2, fault: 'silent' },
];

const reads: readonly Share[] = [
  { of1000: 40, fault: 'failed' },
  { of1000: 20, fault: 'hung up' },
  { of1000: 20, fault: 200 },
];

/** Every this many records, there is one whose write always fails. */
const hopelessOf = 40;

/**
 * Each type of call has its own random numbers. The number of counter updates depends on how many requests coincide, so
 * their numbers are chosen such that all common faults are among the first twenty.
 */
export function someFaults(): ChooseFault {
  const [read, record, add] = [createRandom(6), createRandom(131), createRandom(13)];
  return (action, table, body) => {
    if (table !== 'usage') return choose(reads, read());
    // There are few of these: the aggregator gathers what it writes.
    if (action !== 'PutItem') return choose(writes, add() / 2);
    return isHopeless(body) ? 'failed' : choose(writes, record());
  };
}

function isHopeless(body: string): boolean {
  const [, number] = /caller-(\d+)/.exec(body) ?? [];
  return number !== undefined && Number(number) % hopelessOf === 7;
}

function choose(shares: readonly Share[], random: number): StoreFault | undefined {
  let passed = 0;
  for (const { of1000, fault } of shares) {
    passed += of1000 / 1000;
    if (random < passed) return fault;
  }
  return undefined;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
