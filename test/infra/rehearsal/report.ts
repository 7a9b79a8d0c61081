/** The table that `npm run rehearse` prints for a stack. */
import { type Failure, typeOf } from './failures.ts';

/** One line for neighbours in the order of creation that leave the same. */
export function failureTable(failures: readonly Failure[]): string {
  const lines: { first: number; last: number; at: string; left: string }[] = [];
  for (const [index, { at, left: resources }] of failures.entries()) {
    const left = countByType(resources);
    const previous = lines.at(-1);
    if (previous?.left === left) previous.last = index + 1;
    else lines.push({ first: index + 1, last: index + 1, at, left });
  }
  const rows = lines.map(({ first, last, at, left }) => [
    first === last ? `${first}` : `${first}-${last}`,
    at,
    left,
  ]);
  const all = [['failure at', 'the first of them', 'stays behind'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

function countByType(resources: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of resources.map(typeOf)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ') || 'nothing';
}
