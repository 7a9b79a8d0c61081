/** `catalog list-aliases` and `catalog remove-alias`: the names that the operator gave to models. */

import type { AliasesPutInput } from '../../lib/admin/catalog/schema.ts';
import { asUsageError, callAdmin } from '../call-admin.ts';
import { type Command, UsageError } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { seenEverywhere } from './rows.ts';

type Target = AliasesPutInput['targets'][number];
type Condition = NonNullable<Target['when']>;

/** Throws UsageError that says which target is wrong, and how. */
const readTargets = (text: string): Target[] => text.split(',').map((target) => readTarget(target.trim()));

function readTarget(text: string): Target {
  const [, model, weight, conditions] = /^([^=@]+)(?:=(\d{1,4}))?(?:@(.+))?$/.exec(text) ?? [];
  if (model === undefined || Number(weight) === 0) {
    throw new UsageError(
      `A target must be a model, or <model>=<weight> with a weight from 1 to 9999, and may end with @<condition>: '${text}' is not.`,
    );
  }
  const when = conditions?.split('+').map(readCondition);
  return { model, weight: Number(weight ?? 1), ...(when && { when: Object.assign({}, ...when) }) };
}

function readCondition(text: string): Condition {
  const above = /^input-above:(\d{1,9})$/.exec(text)?.[1];
  if (above !== undefined) return { input_tokens_above: Number(above) };
  if (text === 'tools' || text === 'images') return { [text]: true };
  throw new UsageError(
    `A condition must be 'tools', 'images' or 'input-above:<tokens>', joined with '+', not '${text}'.`,
  );
}

/** The same text that `readTargets` reads. */
const writeTargets = (targets: readonly Target[]): string => targets.map(writeTarget).join(',');

function writeTarget({ model, weight = 1, when }: Target): string {
  const conditions = when ? `@${writeConditions(when)}` : '';
  return `${model}=${weight}${conditions}`;
}

const writeConditions = ({ tools, images, input_tokens_above: above }: Condition): string =>
  [
    ...(tools ? ['tools'] : []),
    ...(images ? ['images'] : []),
    ...(above === undefined ? [] : [`input-above:${above}`]),
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
    const targets = readTargets(text);
    await callAdmin(context, 'admin-aliases-put', { alias: name, targets }).catch(asUsageError);
    terminal.write(`${name} stands for ${writeTargets(targets)}. It takes effect ${seenEverywhere}.`);
  },
};

const catalogListAliases: Command = {
  name: 'catalog list-aliases',
  summary: 'List the names that you gave to models',
  description: 'The names that come with models, such as dated snapshots, are in `catalog show`.',
  options: jsonOption,
  examples: ['catalog list-aliases', 'catalog list-aliases --json --stack ModelGateway'],
  async run({ terminal, format, ...context }) {
    const { data } = await callAdmin(context, 'admin-aliases-list', {});
    const rows = data.map(({ id, targets }) => ({ alias: id, targets: writeTargets(targets) }));
    writeListing({ terminal, format }, rows);
  },
};

const catalogRemoveAlias: Command = {
  name: 'catalog remove-alias',
  summary: 'Remove a name that you gave to models',
  arguments: ['name'],
  examples: ['catalog remove-alias fast'],
  async run({ arguments: [name = ''], terminal, ...context }) {
    await callAdmin(context, 'admin-aliases-delete', { alias: name });
    terminal.write(`Removed ${name}. It takes effect ${seenEverywhere}.`);
  },
};

export const aliasCommands: readonly Command[] = [catalogSetAlias, catalogListAliases, catalogRemoveAlias];
