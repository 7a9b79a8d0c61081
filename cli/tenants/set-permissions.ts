/** `set-models` and `set-operations` of `keys` and `tenants`: the allowed models and operations. */
import type { Command } from '../command.ts';
import { changeSubject, keySubject, type Subject, soon, tenantSubject } from './subject.ts';
import { operationNames, readModels, readOperations } from './tenancy-options.ts';

const setModels = (subject: Subject): Command => ({
  name: `${subject.noun} set-models`,
  summary: `Set the allowed models of a ${subject.one}`,
  description:
    "A comma-separated list of model ids. 'openai/*' allows all models of an owner, and all allows every model.",
  arguments: [subject.argument, 'models'],
  options: {},
  examples: [`${subject.noun} set-models ${subject.example} 'openai/*,anthropic/claude-opus-5'`],
  async run({ terminal, ...context }) {
    const models = readModels(context.arguments[1] ?? '');
    const changed = await changeSubject(subject, context, { models });
    terminal.write(`The ${changed.called} may use ${list(changed.models, 'model')}. ${soon}`);
  },
});

const setOperations = (subject: Subject): Command => ({
  name: `${subject.noun} set-operations`,
  summary: `Set the allowed operations of a ${subject.one}`,
  description: `A comma-separated list, or all. The operations are: ${operationNames.join(', ')}.`,
  arguments: [subject.argument, 'operations'],
  options: {},
  examples: [`${subject.noun} set-operations ${subject.example} chat-completions,embeddings`],
  async run({ terminal, ...context }) {
    const operations = readOperations(context.arguments[1] ?? '');
    const changed = await changeSubject(subject, context, {
      ...(operations !== undefined && { operations }),
    });
    terminal.write(`The ${changed.called} may use ${list(changed.operations, 'operation')}. ${soon}`);
  },
});

const list = (names: readonly string[] | null, one: string) => (names ? names.join(', ') : `every ${one}`);

export const keysSetModels = setModels(keySubject);
export const keysSetOperations = setOperations(keySubject);
export const tenantsSetModels = setModels(tenantSubject);
export const tenantsSetOperations = setOperations(tenantSubject);
