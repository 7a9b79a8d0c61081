/** `catalog list-aliases` and `catalog remove-alias`: the names that the operator gave to models. */

import type { Model } from '../../lib/core/catalog/model.ts';
import { type AliasCondition, type AliasTarget, isName } from '../../lib/core/names/names.ts';
import { isServed } from '../../lib/routing/model-not-found.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { findRow, seenEverywhere } from './rows.ts';

const maxAliasTargets = 10;

/** Throws UsageError that says which target is wrong, and how. */
function readTargets(text: string): readonly AliasTarget[] {
  const targets = text.split(',').map((target) => readTarget(target.trim()));
  if (targets.length > maxAliasTargets)
    throw new UsageError(`An alias can have at most ${maxAliasTargets} targets.`);
  if (targets.every(({ when }) => when)) {
    throw new UsageError('One target at least must have no condition: some requests would have none.');
  }
  return targets;
}

function readTarget(text: string): AliasTarget {
  const [, model, weight, conditions] = /^([^=@]+)(?:=(\d{1,4}))?(?:@(.+))?$/.exec(text) ?? [];
  if (model === undefined || Number(weight) === 0) {
    throw new UsageError(
      `A target must be a model, or <model>=<weight> with a weight from 1 to 9999, and may end with @<condition>: '${text}' is not.`,
    );
  }
  const when = conditions?.split('+').map(readCondition);
  return { model, weight: Number(weight ?? 1), ...(when && { when: Object.assign({}, ...when) }) };
}

function readCondition(text: string): AliasCondition {
  const above = /^input-above:(\d{1,9})$/.exec(text)?.[1];
  if (above !== undefined) return { inputTokensAbove: Number(above) };
  if (text === 'tools' || text === 'images') return { [text]: true };
  throw new UsageError(
    `A condition must be 'tools', 'images' or 'input-above:<tokens>', joined with '+', not '${text}'.`,
  );
}

/** The same text that `readTargets` reads. */
const writeTargets = (targets: readonly AliasTarget[]): string => targets.map(writeTarget).join(',');

function writeTarget({ model, weight, when }: AliasTarget): string {
  const conditions = when ? `@${writeConditions(when)}` : '';
  return `${model}=${weight}${conditions}`;
}

const writeConditions = ({ tools, images, inputTokensAbove }: AliasCondition): string =>
  [
    ...(tools ? ['tools'] : []),
    ...(images ? ['images'] : []),
    ...(inputTokensAbove === undefined ? [] : [`input-above:${inputTokensAbove}`]),
  ].join('+');

const catalogSetAlias: Command = {
  name: 'catalog set-alias',
  summary: 'Let callers use a name of yours for one or several models',
  description:
    'Targets are models with commas. With =<weight> each is chosen as often as its weight says, and a conversation keeps its choice. With @tools, @images or @input-above:<tokens>, joined with +, a target is only for requests that have all of these, and then preferred to targets without conditions. A model that cannot serve a request, or that the caller may not use, is never chosen. The name comes before a model of the same name.',
  arguments: ['name', 'targets'],
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

const catalogListAliases: Command = {
  name: 'catalog list-aliases',
  summary: 'List the names that you gave to models',
  description: 'The names that come with models, such as dated snapshots, are in `catalog show`.',
  options: jsonOption,
  examples: ['catalog list-aliases', 'catalog list-aliases --json --stack ModelGateway'],
  async run({ terminal, format, ...context }) {
    const { aliases } = await withInstallation(context, ({ catalog }) => catalog.names.get('operator'));
    const rows = [...aliases]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([alias, targets]) => ({ alias, targets: writeTargets(targets) }));
    writeListing({ terminal, format }, rows);
  },
};

const catalogRemoveAlias: Command = {
  name: 'catalog remove-alias',
  summary: 'Remove a name that you gave to models',
  arguments: ['name'],
  examples: ['catalog remove-alias fast'],
  async run({ arguments: [name = ''], terminal, ...context }) {
    const removed = await withInstallation(context, ({ catalog }) => catalog.names.setAlias(name, undefined));
    if (!removed) throw new Error(`No alias is named ${name}. List all with: catalog list-aliases`);
    terminal.write(`Removed ${name}. It takes effect ${seenEverywhere}.`);
  },
};

export const aliasCommands: readonly Command[] = [catalogSetAlias, catalogListAliases, catalogRemoveAlias];
