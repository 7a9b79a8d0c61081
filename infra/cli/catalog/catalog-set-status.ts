/** `catalog set-status`: takes a model into service, or out of it. */

import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { changeRow, ownedNow, seenEverywhere } from './catalog-change.ts';
import { readStatus } from './catalog-list.ts';
import { findRow } from './catalog-show.ts';

export const catalogSetStatus: Command = {
  name: 'catalog set-status',
  summary:
    'Set the status of a model: active, deprecated (served, and callers are told), inactive or retired (not served).',
  arguments: ['model', 'status'],
  options: {
    replacement: { value: '<model>', description: 'The model that callers are told to go to' },
  },
  async run({ arguments: [id = '', text = ''], options: { replacement }, terminal, ...context }) {
    const status = readStatus(text);
    if (replacement !== undefined && status === 'active') {
      throw new UsageError('An active model has no replacement.');
    }
    await withInstallation(context, async (installation) => {
      if (replacement !== undefined) await checkReplacement(installation, id, replacement);
      await changeRow(installation, id, ({ replacement: old, ...row }) => {
        const successor = status === 'active' ? undefined : (replacement ?? old);
        return { ...row, status, ...(successor !== undefined && { replacement: successor }) };
      });
    });
    terminal.write(`${id} is ${status}. It takes effect ${seenEverywhere}.`);
    terminal.tell(ownedNow);
  },
};

async function checkReplacement(installation: Installation, id: string, replacement: string): Promise<void> {
  if (replacement === id) throw new UsageError('A model cannot replace itself.');
  await findRow(installation, replacement);
}
