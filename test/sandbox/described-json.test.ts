/** Structured output that a prompt describes in words, as clients without native support ask for it. */
import { expect, test } from 'vitest';
import { followExample, followMarkers, followSchema } from '../../sandbox/described-json.ts';
import { weatherSample, weatherSchema } from './client.ts';

const schema = JSON.stringify(weatherSchema);
const indented = JSON.stringify(weatherSchema, null, 2);

test.each([
  `Answer with JSON that is valid under this JSON Schema: ${schema}. Nothing else.`,
  `Respond with an object compatible with this schema:\n\n${schema}\n\nWithout a fence.`,
  `Parsed objects that match the following json_schema:\n\n${indented}\n\nAn instance, not the schema.`,
  `The output schema:\n\`\`\`json\n${indented}\n\`\`\``,
])('a schema in the words of %j', (text) => {
  expect(followSchema(text)).toEqual(weatherSample);
});

test.each(['{"a": 1}', `{"input_schema":${schema}}`, 'The schema: {"type": "obj', 'No schema: none.'])(
  'no schema in %j',
  (text) => {
    expect(followSchema(text)).toBeUndefined();
  },
);

test('an example with placeholders', () => {
  const example =
    '{\n  "city": "{city}",\n  "degrees": "{degrees} # must be a float",\n  "wet": "{wet} # bool"\n}';
  expect(followExample(`These fields:\n\n${example}\n\nNow: Oslo`)).toEqual({
    city: 'sandbox',
    degrees: 1,
    wet: true,
  });
  expect(followExample('\n{"city": "Oslo"}')).toBeUndefined();
});

test('fields between markers', () => {
  const asked =
    'Begin with `[[ ## city ## ]]`, then `[[ ## degrees ## ]]` (a float), then `[[ ## completed ## ]]`.';
  expect(followMarkers(asked)).toBe(
    '[[ ## city ## ]]\nsandbox\n\n[[ ## degrees ## ]]\n1\n\n[[ ## completed ## ]]',
  );
  expect(followMarkers('No markers.')).toBeUndefined();
});
