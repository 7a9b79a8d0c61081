/** `keys rotate`: replaces a key with a new one; both work for a limited time. */
import { maxOverlapSeconds } from '../../lib/admin/keys/schema.ts';
import { rotateKey } from '../../lib/admin/keys/write-key.ts';
import { type Command, UsageError } from '../command.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { timeOf } from '../output/show.ts';
import { callSubject } from '../subjects.ts';
import { newKeyRow } from './key-row.ts';

const defaultOverlap = '24h';

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace an API key with a new one',
  description:
    'The new key has the same limits and permissions. It is the last line of the output and cannot be shown again. With --json it is the field "key".',
  arguments: ['id'],
  options: {
    overlap: {
      value: '<time>',
      description: `How long the old key still works: 30m, 24h, 7d, or 0 (default: ${defaultOverlap})`,
    },
    ...jsonOption,
  },
  examples: ['keys rotate key_0123456789ab --overlap 7d'],
  async run({ arguments: [id = ''], options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const seconds = readDuration(options.overlap ?? defaultOverlap);
    const made = await callSubject(context, rotateKey, { key: id, overlap_seconds: seconds });
    const until = timeOf(made.replaced.expires_at);
    if (format === 'json') {
      const replaced = { id, expires_at: until };
      return terminal.write(JSON.stringify({ ...newKeyRow(made), replaced }, null, 2));
    }
    const ends = seconds === 0 ? 'stops working within ten seconds' : `works until ${until}`;
    terminal.write(`Created key ${made.id} for tenant ${made.tenant}. It replaces ${id}, which ${ends}.`);
    terminal.write('Copy the new key now: it is not shown again.');
    terminal.write(made.key);
  },
};

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (units[unit] ?? Number.NaN);
  if (seconds <= maxOverlapSeconds) return seconds;
  throw new UsageError(`--overlap must be a time such as 30m, 24h or 7d, up to 366d, or 0, not ${text}.`);
}
