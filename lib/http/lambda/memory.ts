/**
 * The memory of a process with one request at a time. Garbage is collected before much more is taken: V8 decides by its heap alone, whose
 * maximum Lambda sets to nearly all of a function's memory, beside which there are bytes and the program, so that a process would be
 * ended with half of its memory free. What does not fit in any case is an answer, which has no limit of its own.
 */
import { lazy } from '../../async/lazy.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';

const megabyte = 1024 * 1024;

/** What a request may take before garbage is collected, its own and that of earlier ones. Nearly all take less in all. */
const uncollected = 24 * megabyte;

/** What no answer can have: the program with what it has loaded and kept, and what Lambda counts beside the process. */
const base = 105 * megabyte + 32 * megabyte;

/** Beside what an answer needs there is garbage of it, and log probabilities take more than texts. */
const besides = 1.5;

/** Even a function with less memory than its program needs answers: Lambda ends it where that was too much. */
const leastForAnswer = 16 * megabyte;

/** What stays of a body, for each of its bytes: its text, and what was read from it. */
const keptOfBody = 4;

/** Also gives back what was kept for young objects, which is up to 15 % of a function's memory. */
const thorough = { type: 'major', flavor: 'last-resort' };

type Collect = (how: typeof thorough) => void;

/** Lambda starts Node with it; a context of its own has it in any case. */
const collector = lazy((): Collect => {
  if (globalThis.gc) return globalThis.gc as Collect;
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  return process.getBuiltinModule('node:vm').runInNewContext('gc');
});

interface LambdaMemory {
  /** Of the function, in MB. */
  readonly memorySize: number;
  /** Of the request. */
  readonly bodyBytes: number;
  readonly collect?: () => void;
}

/** For one request. */
export function createLambdaMemory(options: LambdaMemory): RequestMemory {
  const { memorySize, bodyBytes, collect = () => collector()(thorough) } = options;
  let left = Math.max(memorySize * megabyte - base - bodyBytes * keptOfBody, leastForAnswer);
  let taken = 0;
  const admit = (bytes: number): boolean => {
    taken += bytes;
    if (taken >= uncollected) {
      collect();
      taken = 0;
    }
    return true;
  };
  return {
    admit,
    admitAnswer(bytes) {
      left -= bytes * besides;
      if (left < 0) return tooLarge(memorySize);
      admit(bytes);
      return undefined;
    },
    reserve: () => true,
  };
}

const tooLarge = (memorySize: number) =>
  new GatewayError(
    'upstream_invalid_answer',
    `The provider's response is too large for the ${memorySize} MB of memory of this function of the gateway. Ask for less in one response: its operator can give the function more.`,
    { mayRetry: false },
  );
