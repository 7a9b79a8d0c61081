/** The headers and deprecations of an answer, the same for every operation. */
import type { Model } from '../core/catalog/model.ts';
import type { Change } from '../normalization/rule.ts';
import type { Deprecation } from './debug.ts';

/**
 * How much of what the caller sent was changed, also for callers who do not ask for `debug`. What the gateway adds of its own,
 * such as cache markers on every request of some providers, is only in `debug`.
 */
export function gatewayHeaders({
  changes,
  sandbox,
  schema,
}: {
  readonly changes: readonly Change[];
  readonly sandbox: boolean;
  readonly schema?: string;
}): Record<string, string> {
  const changed = changes.filter(({ action }) => action !== 'add').length;
  return {
    ...(changed > 0 && { 'x-gateway-normalizations': `${changed}` }),
    ...(schema !== undefined && { 'x-gateway-schema': schema }),
    ...(sandbox && { 'x-gateway-sandbox': 'true' }),
  };
}

export function modelDeprecations({ id, status, replacement }: Model): readonly Deprecation[] {
  if (status !== 'deprecated') return [];
  const instead = replacement ? ` Use '${replacement}' instead.` : '';
  return [{ param: 'model', message: `The model '${id}' is deprecated.${instead}` }];
}
