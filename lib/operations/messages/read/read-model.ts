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
  const reason =
    "A context suffix is not part of a model name, so it was removed. The model's whole context is available without it.";
  return { model, changes: [{ param: 'model', action: 'override', before: name, after: model, reason }] };
}
