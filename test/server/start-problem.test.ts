/** Why a server cannot start, in words that name what to change. */
import { expect, test } from 'vitest';
import { explainStart } from '../../server/process/start-problem.ts';

const place = { variable: 'PORT', port: 80, host: 'gateway.example' };
const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

test.each([
  [failure('', { code: 'EADDRINUSE' }), 'PORT is 80, which is in use.'],
  [failure('', { code: 'ENOTFOUND' }), 'HOST is gateway.example, which is no address of this machine.'],
  [failure('', { code: 'EADDRNOTAVAIL' }), 'HOST is gateway.example, which is no address of this machine.'],
  [
    failure('', { code: 'EACCES', syscall: 'listen' }),
    'PORT is 80, on which this user may not listen. Choose one above 1023.',
  ],
  [failure('A file.', { code: 'EACCES', syscall: 'open' }), 'A file.'],
  [failure('HOST is missing.'), 'HOST is missing.'],
  [failure(''), 'An unknown failure.'],
  ['a text', 'An unknown failure.'],
])('%o', (thrown, reason) => {
  expect(explainStart(thrown, place)).toBe(reason);
});
