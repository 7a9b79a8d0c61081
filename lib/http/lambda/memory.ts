/**
 * The memory of a process with one request at a time. Nothing is refused: garbage is collected before much more is taken. V8 decides
 * by its heap alone, whose maximum Lambda sets to nearly all of a function's memory, beside which there are bytes and the program: a
 * process would be ended with half of its memory free.
 */
import { lazy } from '../../async/lazy.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';

/** What a request may take before garbage is collected, its own and that of earlier ones. Nearly all take less in all. */
const uncollected = 24 * 1024 * 1024;

/** Also gives back what was kept for young objects, which is up to 15 % of a function's memory. */
const thorough = { type: 'major', flavor: 'last-resort' };

type Collect = (how: typeof thorough) => void;

/** Lambda starts Node with it; a context of its own has it in any case. */
const collector = lazy((): Collect => {
  if (globalThis.gc) return globalThis.gc as Collect;
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  return process.getBuiltinModule('node:vm').runInNewContext('gc');
});

/** For one request. */
export function createLambdaMemory(collect: () => void = () => collector()(thorough)): RequestMemory {
  let taken = 0;
  const admit = (bytes: number): boolean => {
    taken += bytes;
    if (taken >= uncollected) {
      collect();
      taken = 0;
    }
    return true;
  };
  return { admit, reserve: () => true };
}
