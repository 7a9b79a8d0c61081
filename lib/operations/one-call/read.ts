/** The fields that all operations have which one call answers. */
import type { BodyOf } from '../../core/formats/given-fields.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { DebugCategory } from '../answer-facts.ts';
import { given, includesCost } from '../read-request.ts';
import type { extraFields, usageField } from '../request-schema.ts';
import { readPreferences } from '../routing/read.ts';
import type { placeField } from '../routing/schema.ts';

export interface AskedOnce {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly guardrails?: readonly string[];
  readonly preferences?: ProviderPreferences;
  readonly dryRun: boolean;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
}

type Body = BodyOf<typeof placeField> &
  Partial<BodyOf<typeof usageField>> & {
    readonly extra?:
      | Pick<BodyOf<typeof extraFields>, 'fallbacks' | 'dry_run' | 'debug' | 'guardrails'>
      | null
      | undefined;
  };

export function readAsked(model: string, body: Body): AskedOnce {
  const { provider, extra } = body;
  return {
    model,
    fallbacks: extra?.fallbacks ?? [],
    ...given(extra ?? {}, ['guardrails']),
    ...(provider && { preferences: readPreferences(provider) }),
    dryRun: extra?.dry_run ?? false,
    includeCost: includesCost(body),
    debug: extra?.debug ?? [],
  };
}
