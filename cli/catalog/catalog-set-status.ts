/** `catalog set-status`: activates, deprecates or retires a model. */
import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { changeRow, ownedNow, seenEverywhere } from './catalog-change.ts';
import { readStatus } from './catalog-list.ts';
import { findRow } from './catalog-show.ts';

export const catalogSetStatus: Command = {
  name: 'catalog set-status',
  summary: 'Set the status of a model',
  description:
    'The status is active, deprecated (served, with a deprecation notice), inactive or retired (both not served).',
  arguments: ['model', 'status'],
  options: {
    replacement: { value: '<model>', description: 'The model to suggest to callers instead' },
  },
  examples: ['catalog set-status openai/gpt-4o deprecated --replacement openai/gpt-5.5'],
  async run({ arguments: [id = '', text = ''], options: { replacement }, terminal, ...context }) {
    const status = readStatus(text);
    if (replacement !== undefined && status === 'active') {
      throw new UsageError('--replacement cannot be used with the status active.');
    }
    await withInstallation(context, async (installation) => {
      if (replacement !== undefined) await checkReplacement(installation, id, replacement);
      await changeRow(installation, id, ({ replacement: old, ...row }) => {
        const successor = status === 'active' ? undefined : (replacement ?? old);
        return { ...row, status, ...(successor !== undefined && { replacement: successor }) };
      });
    });
    terminal.write(`${id} is ${status}. It takes effect ${seenEverywhere}.`);
    terminal.writeError(ownedNow);
  },
};

async function checkReplacement(installation: Installation, id: string, replacement: string): Promise<void> {
  if (replacement === id) throw new UsageError('A model cannot replace itself.');
  await findRow(installation, replacement);
}
