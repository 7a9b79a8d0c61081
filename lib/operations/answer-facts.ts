/** The headers and deprecations of an answer, the same for every operation. */
import type { Model } from '../core/model.ts';
import type { Change } from '../normalization/rule.ts';
import type { Deprecation } from './debug.ts';

/** The number of changes is reported also to callers who do not ask for `debug`. */
export function gatewayHeaders({
  changes,
  sandbox,
  schema,
}: {
  readonly changes: readonly Change[];
  readonly sandbox: boolean;
  readonly schema?: string;
}): Record<string, string> {
  return {
    ...(changes.length > 0 && { 'x-gateway-normalizations': `${changes.length}` }),
    ...(schema !== undefined && { 'x-gateway-schema': schema }),
    ...(sandbox && { 'x-gateway-sandbox': 'true' }),
  };
}

export function modelDeprecations({ id, status, replacement }: Model): readonly Deprecation[] {
  if (status !== 'deprecated') return [];
  const instead = replacement ? ` Use '${replacement}' instead.` : '';
  return [{ param: 'model', message: `The model '${id}' is deprecated.${instead}` }];
}
