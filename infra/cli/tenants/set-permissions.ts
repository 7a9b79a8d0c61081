/** `set-models` and `set-operations` of `keys` and `tenants`: what a key, or all keys of a tenant, may be used for. */
import type { Command } from '../command.ts';
import { changeHolder, type Holder, keyHolder, soon, tenantHolder } from './holder.ts';
import { readModels, readOperations } from './tenancy-options.ts';

const setModels = (holder: Holder): Command => ({
  name: `${holder.noun} set-models`,
  summary: `Say which models a ${holder.one} may use: ids with commas between them, 'openai/*' for all of an owner, or all.`,
  arguments: [holder.argument, 'models'],
  options: {},
  async run({ terminal, ...context }) {
    const models = readModels(context.arguments[1] ?? '');
    const changed = await changeHolder(holder, context, { models });
    terminal.write(`The ${changed.called} may use ${list(changed.models, 'model')}. ${soon}`);
  },
});

const setOperations = (holder: Holder): Command => ({
  name: `${holder.noun} set-operations`,
  summary: `Say which operations a ${holder.one} may use: names with commas between them, or all.`,
  arguments: [holder.argument, 'operations'],
  options: {},
  async run({ terminal, ...context }) {
    const operations = readOperations(context.arguments[1] ?? '');
    const changed = await changeHolder(holder, context, { ...(operations !== undefined && { operations }) });
    terminal.write(`The ${changed.called} may use ${list(changed.operations, 'operation')}. ${soon}`);
  },
});

const list = (names: readonly string[] | undefined, one: string) =>
  names ? names.join(', ') : `every ${one}`;

export const keysSetModels = setModels(keyHolder);
export const keysSetOperations = setOperations(keyHolder);
export const tenantsSetModels = setModels(tenantHolder);
export const tenantsSetOperations = setOperations(tenantHolder);
