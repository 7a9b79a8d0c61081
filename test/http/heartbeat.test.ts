/** A silent stream is kept alive, and only between its events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { heartbeat } from '../../lib/http/heartbeat.ts';

async function* paced(...steps: readonly (string | number)[]): AsyncGenerator<string> {
  for (const step of steps) {
    if (typeof step === 'number') await sleep(step);
    else yield step;
  }
}

test('a stream without silence is not touched', async () => {
  expect(await Array.fromAsync(heartbeat(paced('a', 'b', 'c'), 50))).toEqual(['a', 'b', 'c']);
});

test('each period of silence gives one comment', async () => {
  const seen = await Array.fromAsync(heartbeat(paced('a', 130, 'b'), 50));
  expect(seen).toEqual(['a', ': ping\n\n', ': ping\n\n', 'b']);
});

test('a reader who leaves ends the stream behind it', async () => {
  let ended = false;
  async function* events(): AsyncGenerator<string> {
    try {
      for (;;) yield 'a';
    } finally {
      ended = true;
    }
  }
  for await (const _ of heartbeat(events(), 50)) break;
  expect(ended).toBe(true);
});
