/** Converts a valid moderation body to the gateway's internal request. */
import type { ModerationRequest } from '../../core/generation/moderation.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import type { ModerationsBody } from './schema.ts';

export interface ModerationsInput extends AskedOnce {
  readonly request: ModerationRequest;
}

/** OpenAI's default, too. */
const defaultModel = 'omni-moderation-latest';

export function readModerations(body: ModerationsBody): ModerationsInput {
  const { model, input } = body;
  return {
    ...readAsked(model ?? defaultModel, body),
    request: { input: typeof input === 'string' ? [input] : input },
  };
}
