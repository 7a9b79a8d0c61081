/** What the exports of a tenant's requests say, in each format, as `usage export` writes them. */
import { runGateway } from '../../../infra/cli/gateway.ts';

/** A charge in US dollars as text, empty if it is not known, by the end user of the request. */
export type ExportedCharges = ReadonlyMap<string, string>;

/** `day`: a date. Rejects where the command fails, or names a request twice. */
export async function exportedCharges(
  dataDirectory: string,
  format: 'csv' | 'jsonl' | 'focus',
  day: string,
): Promise<ExportedCharges> {
  const lines: string[] = [];
  const words = ['usage', 'export', '--from', day, '--to', day, '--format', format];
  const code = await runGateway(words, {
    variables: { GATEWAY_DATA_DIR: dataDirectory },
    environmentFile: `${dataDirectory}/.env`,
    terminal: {
      write: (text) => lines.push(...text.split('\n')),
      writeError: () => {},
      readValue: async () => '',
    },
  });
  if (code !== 0) throw new Error(`usage export ended with ${code}.`);
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
