/**
 * The targets of an alias on the command line: models with commas, each with a weight and conditions if it has any, as in
 * `openai/gpt-5.4-mini=80,google/gemini-3.5-flash=20@images+input-above:200000`.
 */
import type { AliasCondition, AliasTarget } from '../../lib/core/names/names.ts';
import { UsageError } from '../command.ts';

const maxAliasTargets = 10;

/** Throws UsageError that says which target is wrong, and how. */
export function readTargets(text: string): readonly AliasTarget[] {
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
export const writeTargets = (targets: readonly AliasTarget[]): string => targets.map(writeTarget).join(',');

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
