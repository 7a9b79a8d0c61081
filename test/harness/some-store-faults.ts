/** Faults of the gateway's own store, a small share of every type, the same in every run. */
import { createRandom } from './random.ts';
import type { ChooseFault, StoreFault } from './store-faults.ts';

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

/** Of the calls that change an item: there are few, because the aggregator gathers what it writes. */
const changes: readonly StoreFault[] = ['failed', 'throttled', 'hung up', 'done unheard', 150];

/** Among so many of them there is one fault, each type in turn. */
const changesOfFault = 4;

/** Every this many records, there is one whose write always fails. */
const hopelessOf = 40;

/** Each type of call has its own random numbers, and those that change an item have faults by their number. */
export function someFaults(seed = 0): ChooseFault {
  const [read, record] = [createRandom(6 + seed), createRandom(131 + seed)];
  const calls = new Map<string, number>();
  return (action, table, body) => {
    if (table !== 'usage') return choose(reads, read.next());
    if (action !== 'PutItem' && action !== 'BatchWriteItem') {
      const number = (calls.get(action) ?? 0) + 1;
      calls.set(action, number);
      return number % changesOfFault === 1
        ? changes[Math.floor(number / changesOfFault) % changes.length]
        : undefined;
    }
    const numbers = [...body.matchAll(/(?:caller|user)-(\d+)/g)].map(([, number]) => Number(number));
    return numbers.some(isHopeless) ? 'failed' : choose(writes, record.next());
  };
}

/** Whether the records of the request with this number can never be written. */
export const isHopeless = (number: number): boolean => number % hopelessOf === 7;

function choose(shares: readonly Share[], random: number): StoreFault | undefined {
  let passed = 0;
  for (const { of1000, fault } of shares) {
    passed += of1000 / 1000;
    if (random < passed) return fault;
  }
  return undefined;
}
