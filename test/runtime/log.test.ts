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

/** What a process with these variables prints, whose program has `createLog` and `writeLine`. */
async function printedBy(program: string, variables: Readonly<Record<string, string>> = {}) {
  const directory = new URL('../../lib/runtime/', import.meta.url);
  const source = `import { createLog, readLogLevel, writeLine } from '${directory}log.ts';
    await readLogLevel(process.env);
    import { writeLogInTurns } from '${directory}log-in-turns.ts';
    ${program}`;
  const env = { PATH: process.env.PATH, ...variables };
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { env });
  const { code = 0, stdout, stderr } = await run.catch((failed) => failed);
  const lines = `${stdout}${stderr}`.split('\n').filter(Boolean);
  return { code, messages: lines.map((line) => JSON.parse(line).message) };
}

test('are all there when the process ends', async () => {
  const program = "writeLogInTurns(); createLog().info('last', {}); process.exit(3);";
  expect(await printedBy(program)).toEqual({ code: 3, messages: ['last'] });
});

test.each([
  [{ LOG_LEVEL: 'INFO' }, ['info', 'record', 'warn', 'error']],
  [{ LOG_LEVEL: 'WARN' }, ['record', 'warn', 'error']],
  [{ POWERTOOLS_LOG_LEVEL: 'ERROR', LOG_LEVEL: 'DEBUG' }, ['record', 'error']],
  [{ AWS_LAMBDA_LOG_LEVEL: 'WARN' }, ['record', 'warn', 'error']],
  [{ LOG_LEVEL: 'SILENT' }, ['record']],
])('leave out what is below the level of %j, but for records', async (variables, messages) => {
  const program = `const log = createLog();
    log.info('info', {}); writeLine('record', {}); log.warn('warn', {}); log.error('error', {});`;
  expect(await printedBy(program, variables)).toEqual({ code: 0, messages });
});
