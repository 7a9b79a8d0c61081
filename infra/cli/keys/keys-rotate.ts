/** `keys rotate`: replaces a key by a new one, and lets both work for a while. */
import { type Command, UsageError, withInstallation } from '../command.ts';
import { timeOf } from '../output/show.ts';
import { found } from '../tenants/holder.ts';

const defaultOverlap = '24h';

export const keysRotate: Command = {
  name: 'keys rotate',
  summary:
    'Replace an API key by a new one with the same limits and permissions. The new key is the last line of the output and is shown only once.',
  arguments: ['id'],
  options: {
    overlap: {
      value: '<time>',
      description: `How long the old key still works: 30m, ${defaultOverlap} (if not given), 7d, or 0`,
    },
  },
  async run({ arguments: [id = ''], options, terminal, ...context }) {
    const seconds = readDuration(options.overlap ?? defaultOverlap);
    const rotated = await withInstallation(context, ({ keys }) => keys.rotate(id, seconds));
    const { made, until } = found(rotated, 'key', id, 'keys');
    const ends = seconds === 0 ? 'stops working within ten seconds' : `works until ${timeOf(until)}`;
    terminal.write(`Key ${made.id} for tenant ${made.tenant} replaces ${id}, which ${ends}.`);
    terminal.write('Keep the new one safe: it is shown only this once.');
    terminal.write(made.secret);
  },
};

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const longest = 366 * 86_400;

function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (units[unit] ?? Number.NaN);
  if (seconds <= longest) return seconds;
  throw new UsageError(`--overlap is a time like 30m, 24h or 7d, up to 366d, or 0. It was: ${text}`);
}
