/** What is logged of errors of others: names and codes that are looked for in anything that can be thrown. */
import { expect, test } from 'vitest';
import { failureFields, ownFailureFields } from '../../lib/core/errors/failure-fields.ts';
import { framesOf } from '../../lib/core/errors/stack-frames.ts';
import { AwsError, NoAwsAnswer } from '../../lib/core/ports/aws.ts';

const words = 'the words of a caller';

/** An error that is its own cause. */
function circular(): Error {
  const error = new Error(words);
  error.cause = error;
  return error;
}

/** An error behind so many others. */
function deep(levels: number): Error {
  let error: Error = Object.assign(new Error(words), { code: 'ECONNRESET' });
  for (let level = 0; level < levels; level += 1) error = new TypeError(words, { cause: error });
  return error;
}

const throwing = Object.defineProperties(new Error(words), {
  code: { get: () => expect.fail(words) },
  cause: { get: () => expect.fail(words) },
});

test.each<readonly [string, unknown, object]>([
  ['nothing', undefined, { reason: 'unknown' }],
  ['a text', words, { reason: 'unknown' }],
  ['its own cause', circular(), { reason: 'Error' }],
  ['a chain', deep(3), { reason: 'TypeError', cause: 'ECONNRESET' }],
  ['a chain without an end', deep(10_000), { reason: 'TypeError' }],
  ['a name that is a sentence', Object.assign(new Error(words), { name: words }), { reason: 'unknown' }],
  ['a code with words', Object.assign(new Error(words), { code: words }), { reason: 'Error' }],
  ['a code in lower case', Object.assign(new Error(words), { code: 'sk-secret' }), { reason: 'Error' }],
  ['several at once', new AggregateError([new Error(words)], words), { reason: 'AggregateError' }],
  ['what throws when it is read', throwing, { reason: 'Error' }],
  [
    'an answer of AWS',
    new Error(words, { cause: new AwsError('Throttling', words, 400, { service: 'ssm' }) }),
    { reason: 'Error', aws_error: { service: 'ssm', code: 'Throttling', status: 400 } },
  ],
  [
    'no answer of AWS',
    new NoAwsAnswer({ service: 'ssm', action: 'GetParameter' }, deep(1)),
    {
      reason: 'NoAwsAnswer',
      aws_error: { service: 'ssm', action: 'GetParameter' },
      cause: 'ECONNRESET',
    },
  ],
])('%s', (_, thrown, fields) => {
  expect(failureFields(thrown)).toEqual(fields);
});

test('a message is a reason only of an error of ours', () => {
  expect(ownFailureFields(new Error('No bucket is set.'))).toEqual({ reason: 'No bucket is set.' });
  expect(ownFailureFields(new TypeError(words))).toEqual({ reason: 'TypeError' });
});

test('places in the code are without the message, also if that has lines like places', () => {
  const frames = framesOf(new Error(`first\n    at ${words}\n    at ${words}`));
  expect(frames[0]).toContain('failure-fields.test.ts');
  expect(frames.join()).not.toContain(words);
  expect(framesOf(words)).toEqual([]);
});
