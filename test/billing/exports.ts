/** What the exports of a tenant's requests say, in each format, as `usage export` writes them. */
import { runCommand } from '../harness/operator-command.ts';

export const exportFormats = ['csv', 'jsonl', 'focus'] as const;

/** A charge in US dollars as text, empty if it is not known, by the end user of the request. */
type ExportedCharges = ReadonlyMap<string, string>;

/** `days`: the first and the last. Rejects where the command fails, or names a request twice. */
export async function exportedCharges(
  dataDirectory: string,
  format: (typeof exportFormats)[number],
  days: { readonly from: string; readonly to: string },
): Promise<ExportedCharges> {
  const command = `usage export --from ${days.from} --to ${days.to} --format ${format}`;
  const { code, output: lines, stderr } = await runCommand(dataDirectory, command);
  if (code !== 0) throw new Error(stderr);
  const rows = format === 'jsonl' ? lines.map((line) => JSON.parse(line)) : readCsv(lines);
  const [user, charge] = format === 'focus' ? ['x_User', 'BilledCost'] : ['user', 'charge_usd'];
  const charges = new Map<string, string>();
  for (const row of rows) {
    const name = String(row[user]);
    if (charges.has(name)) throw new Error(`${name} is exported twice.`);
    charges.set(name, String(row[charge] ?? ''));
  }
  return charges;
}

type Row = Readonly<Record<string, unknown>>;

function readCsv([head = '', ...lines]: readonly string[]): readonly Row[] {
  const names = head.split(',');
  return lines.map((line) => {
    const values = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value]) => value);
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  });
}
