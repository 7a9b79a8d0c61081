/** The last use of a key is recorded rarely, and does not delay requests. */
import { beforeEach, expect, test } from 'vitest';
import { createNoteKeyUse } from '../../lib/stores/access/note-key-use.ts';

const minute = 60_000;
let time: number;
let written: (readonly [string, number])[];
let warned: unknown[];

beforeEach(() => {
  time = 1_000 * minute + 59_000;
  written = [];
  warned = [];
});

const open = (noteUse = async () => {}) =>
  createNoteKeyUse({
    keys: {
      noteUse: (hash, at) => {
        written.push([hash, at]);
        return noteUse();
      },
    },
    now: () => time,
    warn: (cause) => warned.push(cause),
    timeoutMs: 20,
  });

const key = (hash: string) => ({ id: `key_${hash}`, tenant: 'acme', hash });

test('requests with one key in one minute cause one write, rounded to the minute', async () => {
  const note = open();
  await Promise.all([note(key('a')), note(key('a')), note(key('b'))]);
  time += 999;
  await note(key('a'));
  const seconds = 1_000 * 60;
  expect(written).toEqual([
    ['a', seconds],
    ['b', seconds],
  ]);
  time += 1;
  await note(key('a'));
  expect(written.slice(2)).toEqual([['a', seconds + 60]]);
});

test('a failed write is logged, and retried in the next minute', async () => {
  const fault = new Error('fault');
  const note = open(() => Promise.reject(fault));
  await note(key('a'));
  await note(key('a'));
  expect(warned).toEqual([fault]);
  time += minute;
  await note(key('a'));
  expect(written).toHaveLength(2);
});

test('a hanging write is not waited for', async () => {
  const note = open(() => new Promise(() => {}));
  await note(key('a'));
  expect(written).toHaveLength(1);
});
