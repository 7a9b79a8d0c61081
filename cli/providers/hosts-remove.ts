/** `providers remove-host`: removes an OpenAI-compatible host that the operator added. */

import type { StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';

export const providersRemoveHost: Command = {
  name: 'providers remove-host',
  summary: 'Remove an OpenAI-compatible host that you added',
  description: 'Its models stay in the catalog, and its stored API key is not removed.',
  arguments: ['host'],
  options: {},
  examples: ['providers remove-host vllm-a'],
  async run({ arguments: [name = ''], terminal, ...context }) {
    const models = await withInstallation(context, async ({ hosts, catalog }) => {
      const stored = await hosts.get(name);
      if (stored?.source === 'file') {
        throw new UsageError(
          `The host ${name} is defined in the hosts file of this gateway. Remove it there.`,
        );
      }
      if (!(await hosts.remove(name))) throw new Error(`No host named ${name} was added.`);
      return (await catalog.list()).filter((row) => isServedBy(row, name)).map(({ id }) => id);
    });
    terminal.write(`Removed ${name}. It takes effect within a minute.`);
    if (models.length > 0) terminal.writeError(`These models still name it: ${models.join(', ')}`);
  },
};

function isServedBy({ row }: StoredRow, name: string): boolean {
  try {
    return readModelRow(row, 'ignore').deployments.some(({ provider }) => provider === name);
  } catch {
    return false;
  }
}
