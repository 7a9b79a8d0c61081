/** What a generated answer tells beside itself, whichever operation it belongs to. */
import type { Model } from '../core/model.ts';
import type { AnswerDetails } from './ask-target.ts';
import type { Deprecation } from './debug.ts';

/** How much was changed on the way is told even to callers who do not ask for `debug`. */
export function gatewayHeaders({
  details,
}: {
  readonly details: Pick<AnswerDetails, 'changes' | 'sandbox'>;
}): Record<string, string> {
  return {
    ...(details.changes.length > 0 && { 'x-gateway-normalizations': `${details.changes.length}` }),
    ...(details.sandbox && { 'x-gateway-sandbox': 'true' }),
  };
}

export function modelDeprecations({ id, status, replacement }: Model): readonly Deprecation[] {
  if (status !== 'deprecated') return [];
  const instead = replacement ? ` Use '${replacement}' instead.` : '';
  return [{ param: 'model', message: `The model '${id}' is deprecated.${instead}` }];
}
