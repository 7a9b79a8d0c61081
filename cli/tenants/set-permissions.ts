/** `set-models` and `set-operations` of `keys` and `tenants`: the allowed models and operations. */
import type { Command } from '../command.ts';
import { changeHolder, type Holder, keyHolder, soon, tenantHolder } from './holder.ts';
import { operationNames, readModels, readOperations } from './tenancy-options.ts';

const setModels = (holder: Holder): Command => ({
  name: `${holder.noun} set-models`,
  summary: `Set the allowed models of a ${holder.one}`,
  description:
    "A comma-separated list of model ids. 'openai/*' allows all models of an owner, and all allows every model.",
  arguments: [holder.argument, 'models'],
  options: {},
  examples: [`${holder.noun} set-models ${holder.example} 'openai/*,anthropic/claude-opus-5'`],
  async run({ terminal, ...context }) {
    const models = readModels(context.arguments[1] ?? '');
    const changed = await changeHolder(holder, context, { models });
    terminal.write(`The ${changed.called} may use ${list(changed.models, 'model')}. ${soon}`);
  },
});

const setOperations = (holder: Holder): Command => ({
  name: `${holder.noun} set-operations`,
  summary: `Set the allowed operations of a ${holder.one}`,
  description: `A comma-separated list, or all. The operations are: ${operationNames.join(', ')}.`,
  arguments: [holder.argument, 'operations'],
  options: {},
  examples: [`${holder.noun} set-operations ${holder.example} chat-completions,embeddings`],
  async run({ terminal, ...context }) {
    const operations = readOperations(context.arguments[1] ?? '');
    const changed = await changeHolder(holder, context, { ...(operations !== undefined && { operations }) });
    terminal.write(`The ${changed.called} may use ${list(changed.operations, 'operation')}. ${soon}`);
  },
});

const list = (names: readonly string[] | null, one: string) => (names ? names.join(', ') : `every ${one}`);

export const keysSetModels = setModels(keyHolder);
export const keysSetOperations = setOperations(keyHolder);
export const tenantsSetModels = setModels(tenantHolder);
export const tenantsSetOperations = setOperations(tenantHolder);
