/** OpenAI's client secrets for realtime sessions. */
import type { ClientSecretCreateResponse } from 'openai/resources/realtime/client-secrets';
import { asObject, isJsonObject, type Wire } from '../core/formats/json-object.ts';
import type { RealtimeProtocol, SecretRequest } from '../core/generation/realtime.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { upstreamError } from './failure.ts';
import { readFailure } from './openai-chat/failure.ts';

export const openaiRealtime: RealtimeProtocol = {
  path: '/realtime/client_secrets',
  encode: ({ session, expiresAfter }, { deployment }) => ({
    ...(expiresAfter && { expires_after: expiresAfter }),
    session: withModel(session, deployment.upstreamId),
  }),
  // Source: developers.openai.com/api/docs/guides/safety-best-practices, "safety identifiers" of the Realtime API.
  headers: ({ safetyId }: SecretRequest): Readonly<Record<string, string>> =>
    safetyId === undefined ? {} : { 'openai-safety-identifier': safetyId },
  decode(body) {
    const { value, expires_at: expiresAt, session } = asObject<Wire<ClientSecretCreateResponse>>(body);
    const isSecret = typeof value === 'string' && value !== '' && Number.isSafeInteger(expiresAt);
    if (!isSecret || !isJsonObject(session)) throw upstreamError('upstream_invalid_answer');
    return { value, expiresAt: expiresAt as number, session };
  },
  readFailure,
};

/** A session that only transcribes names its model where others name the one that transcribes beside theirs. */
function withModel(session: JsonObject, model: string): JsonObject {
  if (session.type !== 'transcription') return { ...session, model };
  const audio = asObject(session.audio);
  const input = asObject(audio.input);
  const transcription = { ...asObject(input.transcription), model };
  return { ...session, audio: { ...audio, input: { ...input, transcription } } };
}
