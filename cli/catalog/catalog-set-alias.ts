/** `catalog set-alias`: a name of the operator's choice for one or several models. */
import type { Model } from '../../lib/core/catalog/model.ts';
import { isName } from '../../lib/core/names/names.ts';
import { isServed } from '../../lib/routing/model-not-found.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { readTargets, writeTargets } from './alias-targets.ts';
import { seenEverywhere } from './catalog-change.ts';
import { findRow } from './catalog-show.ts';

export const catalogSetAlias: Command = {
  name: 'catalog set-alias',
  summary: 'Let callers use a name of yours for one or several models',
  description:
    'Targets are models with commas. With =<weight> each is chosen as often as its weight says, and a conversation keeps its choice. With @tools, @images or @input-above:<tokens>, joined with +, a target is only for requests that have all of these, and then preferred to targets without conditions. A model that cannot serve a request, or that the caller may not use, is never chosen. The name comes before a model of the same name.',
  arguments: ['name', 'targets'],
  options: {},
  examples: [
    'catalog set-alias fast openai/gpt-5.4-mini=80,google/gemini-3.5-flash=20',
    'catalog set-alias smart anthropic/claude-opus-5,google/gemini-3.5-flash@images+input-above:150000',
  ],
  async run({ arguments: [name = '', text = ''], terminal, ...context }) {
    if (!isName(name)) {
      throw new UsageError(
        'The name must have 1 to 100 letters, digits, dots, underscores, colons or dashes, and no slash.',
      );
    }
    const targets = readTargets(text);
    await withInstallation(context, async (installation) => {
      const models = await Promise.all(targets.map(({ model }) => findServed(installation, model)));
      checkTogether(models);
      await installation.catalog.names.setAlias(name, targets);
    });
    terminal.write(`${name} stands for ${writeTargets(targets)}. It takes effect ${seenEverywhere}.`);
  },
};

async function findServed(installation: Installation, id: string): Promise<Model> {
  const model = readModelRow((await findRow(installation, id)).row, 'ignore');
  if (isServed(model)) return model;
  throw new UsageError(`The model ${id} is ${model.status}: an alias is for models that are served.`);
}

/** What one model can do and another cannot at all would depend on chance. */
function checkTogether([first, ...others]: readonly Model[]): void {
  if (!first || others.length === 0) return;
  if (first.traits.embedding) {
    throw new UsageError('Vectors of different models cannot be compared: such an alias has one target.');
  }
  const differing = others.find(({ endpoints }) => !endpoints.some((one) => first.endpoints.includes(one)));
  if (differing) throw new UsageError(`${first.id} and ${differing.id} share no operation.`);
}
