/** Which requests come from API Gateway. */
import { expect, test } from 'vitest';
import { createIsFromOrigin } from '../../server/http/origin-secret.ts';

const current = 'current-origin-secret-0123456789ABCDEFGH';
const previous = 'previous-origin-secret-0123456789ABCDEFG';

test.each([
  ['the secret', [current], current, true],
  ['both of a rotation', [current, previous], previous, true],
  ['another one', [current, previous], `${current}0`, false],
  ['a part of it', [current], current.slice(1), false],
  ['none', [current], undefined, false],
  ['an empty one', [current], '', false],
  ['it twice', [current], [current, current], false],
  ['any where there is no secret', [], current, false],
])('%s', (_, secrets, value, expected) => {
  expect(createIsFromOrigin(secrets)(value)).toBe(expected);
});
