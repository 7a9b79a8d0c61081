/** The page `docs/limits.md`: every bound, with its number and what happens when it is passed. */
import { limitAreas } from './limits/limits.ts';
import type { LimitRow, LimitUnit } from './limits/row.ts';
import { generated, page, table } from './markdown.ts';

const introduction = `Everything that a caller or a provider can make long, large, deep or slow has a bound. Each is a constant of the code, and the
numbers here are read from it. 1 KB is 1,024 bytes, and 1 MB is 1,024 KB. What tenants and keys may use (requests, tokens and money) is set for
each of them: \`npm run gateway -- keys --help\`. Statuses and codes are explained in [errors.md](errors.md).`;

export function limitsPage(): string {
  return page([
    generated,
    '# Limits',
    introduction,
    ...limitAreas.flatMap(({ title, rows }) => [
      `## ${title}`,
      table(['What', 'Limit', 'When it is passed', 'Constant'], rows.map(cells)),
    ]),
  ]);
}

function cells({ what, limit, file, unit, onExceed }: LimitRow): readonly string[] {
  const [[name, value]] = Object.entries(limit) as [[string, number]];
  return [what, inWords(value, unit), onExceed, `\`${name}\`, \`${file}\``];
}

/** In the largest unit that the value is a whole number of. */
export function inWords(value: number, unit: LimitUnit): string {
  const [size, name] = units[unit].find(([one]) => value >= one && value % one === 0) ?? [1, ''];
  return `${(value / size).toLocaleString('en-US')} ${name}`.trim();
}

type Unit = readonly [size: number, name: string];

const ofSeconds: readonly Unit[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

const units: Readonly<Record<LimitUnit, readonly Unit[]>> = {
  bytes: [
    [1_024 * 1_024, 'MB'],
    [1_024, 'KB'],
    [1, 'bytes'],
  ],
  characters: [[1, 'characters']],
  seconds: ofSeconds,
  ms: [...ofSeconds.map(([size, name]): Unit => [1_000 * size, name]), [1, 'ms']],
  count: [[1, '']],
};
