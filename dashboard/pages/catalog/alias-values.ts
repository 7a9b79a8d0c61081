/** An alias as the values of its form, and the targets that the form makes of them. */
import type { AliasAnswer } from '../../../lib/admin/catalog/schema.ts';
import { checked, type Values } from '../form-values.ts';
import { entryValues, numberOf, readEntries } from './row-values.ts';

export const blankTarget = { model: '', weight: '1', tools: '', images: '', input_tokens_above: '' };

/** As the API allows. */
export const maxTargets = 10;

export const aliasValues = (alias: AliasAnswer | undefined): Values => ({
  alias: alias?.id ?? '',
  ...entryValues(
    'targets',
    alias?.targets.map(({ model, weight, when }) => ({
      model,
      weight: String(weight),
      tools: when?.tools ? checked : '',
      images: when?.images ? checked : '',
      input_tokens_above: String(when?.input_tokens_above ?? ''),
    })) ?? [blankTarget],
  ),
});

/** What `PUT` gets. */
export const targetsIn = (values: Values): readonly object[] =>
  readEntries('targets', blankTarget, values).map(
    ({ model, weight, tools, images, input_tokens_above: above }) => {
      const when = {
        ...(tools === checked && { tools: true }),
        ...(images === checked && { images: true }),
        ...(above.trim() !== '' && { input_tokens_above: numberOf(above) }),
      };
      return {
        model: model.trim(),
        ...(weight.trim() !== '' && { weight: numberOf(weight) }),
        ...(Object.keys(when).length > 0 && { when }),
      };
    },
  );
