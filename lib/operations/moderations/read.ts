/** Converts a valid moderation body to the gateway's internal request. */
import type { ModerationRequest } from '../../core/generation/moderation.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { DebugCategory } from '../answer-facts.ts';
import { given, refuseDryRun } from '../read-request.ts';
import { readPreferences } from '../routing/read.ts';
import type { ModerationsBody } from './schema.ts';

export interface ModerationsInput {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly preferences?: ProviderPreferences;
  readonly request: ModerationRequest;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  readonly guardrails?: readonly string[];
}

/** OpenAI's default, too. */
const defaultModel = 'omni-moderation-latest';

export function readModerations(body: ModerationsBody): ModerationsInput {
  refuseDryRun(body);
  const { model, input, provider, extra } = body;
  return {
    model: model ?? defaultModel,
    fallbacks: extra?.fallbacks ?? [],
    ...(provider && { preferences: readPreferences(provider) }),
    request: { input: typeof input === 'string' ? [input] : input },
    includeCost: false,
    debug: extra?.debug ?? [],
    ...given(extra ?? {}, ['guardrails']),
  };
}
