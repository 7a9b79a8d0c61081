/** Converts a valid speech body to the gateway's internal request. */
import type { SpeechRequest } from '../../core/generation/speech.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { DebugCategory } from '../answer-facts.ts';
import { given, includesCost } from '../read-request.ts';
import { readPreferences } from '../routing/read.ts';
import type { SpeechBody } from './schema.ts';

/** The parts of a speech request. */
export interface SpeechInput {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly guardrails?: readonly string[];
  readonly preferences?: ProviderPreferences;
  readonly request: SpeechRequest;
  /** Whether the audio comes in events, with what was used; else its bytes are the answer. */
  readonly asEvents: boolean;
  readonly dryRun: boolean;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
}

export function readSpeech(body: SpeechBody): SpeechInput {
  const { model, input, voice, extra } = body;
  return {
    model,
    fallbacks: extra?.fallbacks ?? [],
    ...given(extra ?? {}, ['guardrails']),
    ...(body.provider && { preferences: readPreferences(body.provider) }),
    request: {
      input,
      parameters: {
        voice,
        ...given(body, ['instructions', 'response_format', 'speed']),
      },
    },
    asEvents: body.stream_format === 'sse',
    dryRun: extra?.dry_run ?? false,
    includeCost: includesCost(body),
    debug: extra?.debug ?? [],
  };
}
