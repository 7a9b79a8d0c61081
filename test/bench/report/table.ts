/** Tables of text: the same in a terminal and in Markdown. */

export interface Table {
  readonly title: string;
  /** What a reader has to know of the figures. */
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function writeTable({ title, note, head, rows }: Table): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const lines = [`## ${title}`, '', ...(note ? [note, ''] : []), line(head), rule, ...rows.map(line)];
  return `${lines.join('\n')}\n`;
}

/** A number with as many environment as say something. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

export const times = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(2)}×` : '–');
