/** The model that a Messages request names. */
import { withoutContextSuffix } from '../../../core/names/names.ts';
import type { Change } from '../../../normalization/rule.ts';

export interface NamedModel {
  readonly model: string;
  readonly changes: readonly Change[];
}

/** The beta for a longer context is never added: where a client wants it, its header names it. */
export function readModel(name: string): NamedModel {
  const model = withoutContextSuffix(name);
  if (model === name) return { model, changes: [] };
  const reason = 'The suffix is no part of a model name: the context is as long as the model has it.';
  return { model, changes: [{ param: 'model', action: 'override', before: name, after: model, reason }] };
}
