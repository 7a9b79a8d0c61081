/** Converts a valid request for a client secret to the gateway's internal request. */
import type { ReadHeader } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { SecretRequest } from '../../core/generation/realtime.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { given } from '../read-request.ts';
import { maxSafetyId } from '../request-schema.ts';
import type { ClientSecretsBody } from './schema.ts';

export interface ClientSecretsInput extends AskedOnce {
  readonly request: SecretRequest;
  /** The field that names the model. */
  readonly modelPath: string;
}

const safetyHeader = 'openai-safety-identifier';

export function readClientSecrets(body: ClientSecretsBody, header?: ReadHeader): ClientSecretsInput {
  const { session, expires_after: expiry } = body;
  const [model, modelPath] =
    session.type === 'realtime'
      ? [session.model, 'session.model']
      : [session.audio.input.transcription.model, 'session.audio.input.transcription.model'];
  const safetyId = header?.(safetyHeader);
  if (safetyId !== undefined && safetyId.length > maxSafetyId)
    throw invalid(safetyHeader, `must have at most ${maxSafetyId} characters`);
  return {
    ...readAsked(model, body),
    modelPath,
    request: {
      session,
      ...(expiry && { expiresAfter: given(expiry, ['anchor', 'seconds']) }),
      ...(safetyId !== undefined && { safetyId }),
    },
  };
}
