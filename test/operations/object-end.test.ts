/** The end of an object that arrives in pieces. */
import { expect, test } from 'vitest';
import { createObjectEnd } from '../../lib/operations/object-end.ts';

/** After how many characters the end is reached. */
function endOf(text: string): number | undefined {
  const end = createObjectEnd();
  for (const [index, character] of [...text].entries()) {
    end.add(character);
    if (end.isReached()) return index + 1;
  }
  return undefined;
}

test.each([
  ['{}', '{}'],
  ['{"a":[1,{"b":2}]}', '{"a":[1,{"b":2}]} and more'],
  ['[[]]', '[[]]]'],
  ['{"a":"}"}', '{"a":"}"}}'],
  ['{"a":"\\"}"}', '{"a":"\\"}"}'],
  ['{"a":"\\\\"}', '{"a":"\\\\"}'],
  ['{"a":"["}', '{"a":"["}'],
])('%s', (whole, text) => {
  expect(endOf(text)).toBe(whole.length);
  const end = createObjectEnd();
  end.add(text);
  end.add('{');
  expect(end.isReached()).toBe(true);
});

test.each(['', '{"a":1', '{"a":"}', '[[]', '{"a":"\\"}', '"}'])('%s goes on', (text) => {
  expect(endOf(text)).toBeUndefined();
});
