/** `usage replay`: writes into the ledger what only the log has. */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { longestRequestMs, replay } from '../../../lib/metering/replay.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { writeOne } from '../output/show.ts';
import { summaryOf } from './usage-reconcile.ts';

export const usageReplay: Command = {
  name: 'usage replay',
  summary:
    'Write into the ledger what only a log has: records that were lost, and requests whose process was ended. The log is a file, or - for standard input. May be repeated.',
  arguments: ['log'],
  options: jsonOption,
  async run({ arguments: [path = ''], options, flags, terminal, ...context }) {
    readFormat({ options, flags });
    const lines = path === '-' ? (await terminal.readValue()).split('\n') : linesOf(path);
    const newId = (prefix: string) => prefix + randomBytes(16).toString('hex');
    const replayed = await withInstallation(context, ({ usage }) =>
      replay(lines, { usage, now: Date.now, newId }),
    );
    const { differences, restored, interrupted, known, underWay: under_way, tooOld: too_old } = replayed;
    writeOne({ options, flags, terminal }, { restored, interrupted, known, under_way, too_old });
    terminal.tell(summaryOf(differences));
    if (under_way > 0) {
      const minutes = longestRequestMs / 60_000;
      terminal.tell(
        `Of the requests in this log, ${under_way} began a short time ago and may be under way. Replay it again after ${minutes} minutes.`,
      );
    }
  },
};

/** A log may be larger than what can be held at once. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path).catch(() => {
    throw new Error(`The file ${path} cannot be read.`);
  });
  yield* file.readLines();
}
