/** Tables of the dashboard: CSV, order, and which rows are in the document. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostWhole, sorted, toCsv, windowOf } from '../../dashboard/components/table/rows.ts';

interface Item {
  readonly name: string | null;
  readonly count: number | null;
}

const columns = [
  { title: 'Name', value: ({ name }: Item) => name },
  { title: 'Requests', value: ({ count }: Item) => count },
];

describe('CSV', () => {
  test('has the titles, then a line for each row', () => {
    const rows = [
      { name: 'a, "b"\nc', count: 1.5 },
      { name: null, count: null },
    ];
    expect(toCsv(columns, rows)).toBe('Name,Requests\r\n"a, ""b""\nc",1.5\r\n,\r\n');
  });

  test.each(['=HYPERLINK("http://127.0.0.1")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])(
    'gives a spreadsheet nothing to compute: %j',
    (name) => {
      const [, line = ''] = toCsv(columns, [{ name, count: -5 }]).split('Requests\r\n');
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
      expect(line).toContain(',-5');
    },
  );
});

describe('order', () => {
  test('is by number or by text, with what is absent at the end', () => {
    const rows = [9, null, 10, -1].map((count) => ({ name: `row ${count}`, count }));
    const counts = (isDown: boolean) => sorted(rows, ({ count }) => count, isDown).map(({ count }) => count);
    expect([counts(false), counts(true)]).toEqual([
      [-1, 9, 10, null],
      [10, 9, -1, null],
    ]);
    expect(sorted(rows, ({ name }) => name, false).map(({ name }) => name)).toEqual([
      'row -1',
      'row 9',
      'row 10',
      'row null',
    ]);
  });
});

describe('the rows in the document', () => {
  test('are all of a short table, and few of a long one', () => {
    expect(windowOf({ count: mostWhole, scrolled: 500, height: 600, rowHeight: 36 })).toEqual({
      first: 0,
      end: mostWhole,
    });
    const { first, end } = windowOf({ count: 10_000, scrolled: 180_000, height: 720, rowHeight: 36 });
    expect(first).toBeLessThanOrEqual(5_000);
    expect(end).toBeGreaterThanOrEqual(5_020);
    expect(end - first).toBeLessThan(60);
  });

  test('always have those in sight, and are rows of the table', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: -100, max: 900_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.constantFrom(36, 44),
        (count, scrolled, height, rowHeight) => {
          const { first, end } = windowOf({ count, scrolled, height, rowHeight });
          expect(first).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(count);
          const top = Math.max(0, Math.floor(scrolled / rowHeight));
          const bottom = Math.min(count, Math.ceil((Math.max(0, scrolled) + height) / rowHeight));
          if (top < bottom) expect(first <= top && end >= bottom).toBe(true);
        },
      ),
    );
  });
});
