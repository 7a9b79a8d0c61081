/** The tables of how processor time and memory grow. */
import type { Measured } from '../measured.ts';
import { number, type Table, times } from './table.ts';

const bend = 'The bend is what one more costs at the large end over what it costs before: 1 is linear.';

export function growthTables({
  growth = [],
  heldGrowth = [],
  storeGrowth = [],
}: Partial<Pick<Measured, 'growth' | 'heldGrowth' | 'storeGrowth'>>): readonly Table[] {
  const keys = storeGrowth.find(({ of }) => of === 'keys in turns')?.points ?? [];
  const [fewest, most] = [keys.at(0), keys.at(-1)];
  return [
    {
      title: 'Growth',
      note: `CPU of a request in µs by the number of messages, of pieces or of tools. ${bend}`,
      head: ['of the', 'protocol', 'size: CPU', 'one more', 'bend'],
      rows: growth.map(({ of, protocol, points, each, bend }) => [
        of,
        protocol,
        pairs(points, ({ cpu }) => cpu),
        number(each),
        number(bend),
      ]),
    },
    {
      title: 'Growth of memory',
      note: `What JavaScript holds for one request that is under way, in KB, by the number of its messages, of its tools or of the pieces so far. ${bend}`,
      head: ['of the', 'protocol', 'size: KB', 'one more', 'bend'],
      rows: heldGrowth.map(({ of, protocol, points, each, bend }) => [
        of,
        protocol,
        pairs(points, ({ held }) => held),
        number(each),
        number(bend),
      ]),
    },
    {
      title: 'Growth with what is stored',
      note: `CPU of a request in µs, and what JavaScript holds afterwards in MB, by the number of keys, each of a tenant of its own, or of rows of the catalog beside those that ship with it. "In turns": each request uses the next one. ${bend}`,
      head: ['of', 'size: CPU', 'bend', 'size: MB'],
      rows: storeGrowth.map(({ of, points, bend }) => [
        of,
        pairs(points, ({ cpu }) => cpu),
        number(bend),
        pairs(points, ({ held }) => held),
      ]),
    },
    {
      title: 'Keys that are remembered, and that are not',
      note: 'CPU of a request in µs. One whose key and tenant are not remembered reads both, and notes that the key is used.',
      head: ['keys', 'remembered', 'keys', 'not remembered', 'ratio'],
      rows:
        fewest && most
          ? [
              [
                `${fewest.size}`,
                number(fewest.cpu),
                `${most.size}`,
                number(most.cpu),
                times(most.cpu / fewest.cpu),
              ],
            ]
          : [],
    },
  ];
}

const pairs = <Point extends { readonly size: number }>(
  points: readonly Point[],
  of: (point: Point) => number,
): string => points.map((point) => `${point.size}: ${number(of(point))}`).join(', ');
