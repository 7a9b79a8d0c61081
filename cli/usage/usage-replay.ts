/** `usage replay`: writes records that only a log contains into the ledger. */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { replay } from '../../lib/metering/records/replay.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { writeOne } from '../output/show.ts';
import { unreadable } from '../read-file.ts';

export const usageReplay: Command = {
  name: 'usage replay',
  summary: 'Write lost records from a log into the ledger',
  description:
    'Restores records that could not be written, and requests whose process ended before they were recorded. The daily totals and limits follow within seconds. The log is a file, or - for standard input. Safe to repeat.',
  arguments: ['log'],
  options: jsonOption,
  examples: ['usage replay gateway.log', 'usage replay - < gateway.log'],
  async run({ arguments: [path = ''], options, flags, terminal, ...context }) {
    readFormat({ options, flags });
    const lines = path === '-' ? (await terminal.readValue()).split('\n') : linesOf(path);
    const newId = (prefix: string) => prefix + randomBytes(16).toString('hex');
    const { restored, known, tooOld } = await withInstallation(context, ({ usage }) =>
      replay(lines, { usage, newId, now: Date.now }),
    );
    writeOne({ options, flags, terminal }, { restored, known, too_old: tooOld });
  },
};

/** A log may be larger than the memory. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path).catch(unreadable(path));
  yield* file.readLines();
}
