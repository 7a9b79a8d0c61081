/** The lines of the log. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../lib/runtime/log.ts';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';

let captured: CapturedLog;
beforeEach(() => {
  captured = captureLog();
});
afterEach(() => captured.release());

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
