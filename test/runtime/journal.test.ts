/** The journal of records that the ledger does not have yet: its files are few, and what a process has left in them is restored. */
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { ReplayOptions } from '../../lib/metering/records/replay.ts';
import { type Journal, maxFileBytes, maxFileMs, openJournal } from '../../lib/runtime/records/journal.ts';
import { replayFiles } from '../../lib/runtime/records/replay-journal.ts';
import { testRecord } from '../harness/ledger.ts';

let parent: string;
let directory: string;
let time: number;
let otherwise: string[];
let messages: string[];
let journal: Journal;

const log: Log = {
  info: (message) => void messages.push(message),
  warn: (message) => void messages.push(message),
  error: (message) => void messages.push(message),
};
const open = (path = directory) =>
  openJournal({
    directory: path,
    now: () => time,
    log,
    otherwise(state, { requestId }) {
      otherwise.push(`${state} ${requestId}`);
      return () => {};
    },
  });

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'journal-'));
  directory = join(parent, 'records');
  [time, otherwise, messages] = [Date.now(), [], []];
  journal = open();
});
afterEach(() => rm(parent, { recursive: true }));

const files = async () => (await readdir(directory)).sort();

test('the lines of a turn are on the disk before their requests go, and their file goes once the ledger has all of it', async () => {
  const forget = journal.note('open', testRecord({ at: time }));
  const forgetOther = journal.note('open', testRecord({ at: time }));
  journal.note('open', testRecord({ at: time }))();
  await journal.written();
  expect(journal.written()).toBeUndefined();
  const [name = ''] = await files();
  expect(await readFile(join(directory, name), 'utf8')).toMatch(
    /^(\{"message":"usage opened","record":\{.*\}\n){2}$/,
  );
  time += maxFileMs;
  const forgetLater = journal.note('open', testRecord({ at: time }));
  await journal.written();
  forgetLater();
  forget();
  forget();
  expect(await files()).toHaveLength(2);
  forgetOther();
  expect(await files()).toHaveLength(1);
  journal.close();
  expect(await files()).toEqual([]);
});

test('under a steady load there are two files at most, each of a limited size', async () => {
  let forget = () => {};
  for (let index = 0; index < 3_000; index += 1) {
    const before = forget;
    forget = journal.note('open', testRecord({ at: time, user: 'x'.repeat(700) }));
    await journal.written();
    before();
  }
  const sizes = await Promise.all((await files()).map((name) => readFile(join(directory, name))));
  expect(sizes.length).toBeLessThanOrEqual(2);
  for (const { length } of sizes) expect(length).toBeLessThan(maxFileBytes + 2_000);
});

test('where it cannot be written, records are noted otherwise, and that is reported once a minute', async () => {
  const blocked = open(join(parent, 'absent', 'records'));
  const records = Array.from({ length: 3 }, () => testRecord({ at: time }));
  for (const record of records) {
    blocked.note('open', record);
    await blocked.written();
  }
  expect(otherwise).toEqual(records.map(({ requestId }) => `open ${requestId}`));
  expect(messages).toEqual(['journal not written']);
});

test('what a process has left is restored, and its file is removed when it can be of no running process', async () => {
  const written: string[] = [];
  const usage: ReplayOptions['usage'] = {
    oldestDay: () => '2000-01-01',
    find: async () => undefined,
    open: async ({ requestId }) => void written.push(`open ${requestId}`),
    async record({ requestId, error }: LedgerRecord) {
      written.push(`${error ?? 'done'} ${requestId}`);
      return 'new';
    },
  };
  const [running, over, late] = [
    testRecord({ at: time }),
    testRecord({ at: time - 3_600_000 }),
    testRecord({ at: time }),
  ];
  journal.note('open', running);
  journal.note('open', over);
  journal.note('done', late);
  await journal.written();
  await writeFile(join(directory, 'other.txt'), 'not a journal');
  const replayNow = () =>
    replayFiles({ directory, log, usage, newId: (prefix) => `${prefix}1`, now: () => time });
  await replayNow();
  expect(written.sort()).toEqual(
    [`open ${running.requestId}`, `interrupted ${over.requestId}`, `done ${late.requestId}`].sort(),
  );
  expect(await files()).toHaveLength(2);
  const [name = ''] = (await files()).filter((one) => one.endsWith('.jsonl'));
  const old = new Date(time - 2 * 3_600_000);
  await utimes(join(directory, name), old, old);
  await replayNow();
  expect(await files()).toEqual(['other.txt']);
});
