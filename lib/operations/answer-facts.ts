/** The headers and deprecations of an answer, the same for every operation. */
import type { Model } from '../core/model.ts';
import type { AnswerDetails } from './ask-target.ts';
import type { Deprecation } from './debug.ts';

/** The number of normalizations is reported even if the caller does not ask for `debug`. */
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
