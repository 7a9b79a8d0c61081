/** What is started before the tests of a file and closed after them, written as if it were there at once. */
import { afterAll, beforeAll } from 'vitest';

/** Its members are those of what was started, which tests and later hooks can use. `close`: its own method by default. */
export function use<Started extends object>(
  start: () => Started | Promise<Started>,
  close = (started: Started): unknown => (started as { close?: () => unknown }).close?.(),
): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started && close(started));
  return lazily(() => started as Started);
}

/** An object that is asked for whenever one of its members is. */
export const lazily = <Value extends object>(get: () => Value): Value =>
  new Proxy({} as Value, { get: (_, name) => Reflect.get(get(), name) });
