/** The lines of the log. */

import { execFile } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, writeLine } from '../../lib/runtime/log.ts';
import { writeLogInTurns } from '../../lib/runtime/log-in-turns.ts';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';

let captured: CapturedLog;
beforeEach(() => {
  captured = captureLog();
});
afterEach(() => captured.close());

const lines = () => captured.lines.map((line) => JSON.parse(line));

test('have what every line has before their own fields, and no empty ones', () => {
  createLog().info('request', {
    status: 200,
    user: '',
    model: null,
    of: { a: null },
    list: [''],
    none: undefined,
  });
  const [line] = lines();
  expect(line).toEqual({
    level: 'INFO',
    message: 'request',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    service: 'model-gateway',
    status: 200,
    of: { a: null },
    list: [''],
  });
  expect(Object.keys(line).slice(0, 4)).toEqual(['level', 'message', 'timestamp', 'service']);
});

test('keep what every line has, whatever fields are named', () => {
  createLog().warn('words', { level: 'INFO', message: 'other', service: 'x', cause: 'timeout' });
  expect(lines()).toEqual([
    {
      level: 'WARN',
      message: 'words',
      timestamp: expect.any(String),
      service: 'model-gateway',
      cause: 'timeout',
    },
  ]);
});

test('of one turn are written together, in their order, and before what cannot wait', async () => {
  const end = writeLogInTurns();
  const log = createLog();
  const messages = () => lines().map(({ message }) => message);
  try {
    log.info('one', {});
    log.info('two', {});
    expect(messages()).toEqual([]);
    await setImmediate();
    expect(messages()).toEqual(['one', 'two']);
    log.info('three', {});
    log.error('four', {});
    log.info('five', {});
    writeLine('six', {});
    expect(messages().slice(2)).toEqual(['three', 'four', 'five', 'six']);
    for (let n = 0; n < 100; n += 1) log.info('many', {});
    expect(lines()).toHaveLength(106);
    log.info('seven', {});
  } finally {
    end();
  }
  log.info('eight', {});
  expect(messages().slice(106)).toEqual(['seven', 'eight']);
});

test('are all there when the process ends', async () => {
  const directory = new URL('../../lib/runtime/', import.meta.url);
  const program = `import { createLog } from '${directory}log.ts';
    import { writeLogInTurns } from '${directory}log-in-turns.ts';
    writeLogInTurns();
    createLog().info('last', {});
    process.exit(3);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const { code, stdout } = await run.then(
    () => ({ code: 0, stdout: '' }),
    (failed) => failed,
  );
  expect([code, JSON.parse(stdout).message]).toEqual([3, 'last']);
});
