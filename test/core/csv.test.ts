/** Values of callers in lines that spreadsheets open. */
import { expect, test } from 'vitest';
import { toCsvLine } from '../../lib/core/formats/csv.ts';

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])('%j is no formula', (value) => {
  expect(toCsvLine([value]).replace(/^"/, '')).toMatch(/^'/);
});

test.each([-5, '-0.25', 'a=b', '{"a":"=1"}'])('%j stays as it is', (value) => {
  expect(toCsvLine([value]).replaceAll('""', '"')).toContain(`${value}`);
  expect(toCsvLine([value])).not.toContain("'");
});
