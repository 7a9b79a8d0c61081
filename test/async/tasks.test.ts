/** Work that no one waits for: so much at a time, waited for at the end, and stopped. */
import { expect, test } from 'vitest';
import { createTasks } from '../../lib/async/tasks.ts';

test('so many run at a time, and one that is refused may come later', async () => {
  const tasks = createTasks(1);
  const gate = Promise.withResolvers<void>();
  expect(tasks.start(() => gate.promise)).toBe(true);
  expect(tasks.start(async () => {})).toBe(false);
  gate.resolve();
  await tasks.ended(1_000);
  expect(tasks.start(async () => {})).toBe(true);
});

test('all are waited for, also those that others begin, but no longer than is said', async () => {
  const tasks = createTasks(2);
  const ended: string[] = [];
  tasks.start(async () => {
    tasks.start(async () => void ended.push('second'));
    ended.push('first');
  });
  await tasks.ended(1_000);
  expect(ended.toSorted()).toEqual(['first', 'second']);
  tasks.start(() => new Promise(() => {}));
  await tasks.ended(5);
});

test('a stop aborts what runs, and lets nothing begin', async () => {
  const tasks = createTasks(2);
  const reason = new Error('It stops.');
  let seen: unknown;
  tasks.start(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason;
          resolve();
        });
      }),
  );
  tasks.stop(reason);
  await tasks.ended(1_000);
  expect([seen, tasks.start(async () => {})]).toEqual([reason, false]);
});
