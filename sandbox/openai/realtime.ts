/**
 * Client secrets of OpenAI's Realtime API. Sources: openai 7.55, `ClientSecretCreateParams` (fields of sessions, seconds of a secret) and
 * `ClientSecretCreateResponse`; developers.openai.com/api/reference/resources/realtime/subresources/client_secrets (example of an answer).
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, isOutside, objectOf, textOf, wordSet } from '../json.ts';
import { refuse, refuseLongId, refuseMissing, refuseUnknown, refuseValue } from './refuse.ts';

const known = wordSet('expires_after session');

/** The fields of each type of session. */
const sessions: Readonly<Record<string, ReadonlySet<string>>> = {
  realtime: wordSet(
    'type audio include instructions max_output_tokens model output_modalities parallel_tool_calls prompt reasoning tool_choice tools tracing truncation',
  ),
  transcription: wordSet('type audio include'),
};

const models: Readonly<Record<string, RegExp>> = {
  realtime: /^gpt-realtime(-\d(\.\d)?)?(-mini)?$/,
  transcription: /^(gpt-live-transcribe|gpt-realtime-whisper|gpt-transcribe|whisper-1)$/,
};

const defaultSeconds = 600;
const longestSafetyId = 64;

export function answerClientSecrets({ body: sent, headers }: SandboxRequest): SandboxResponse {
  const body = objectOf(sent);
  checkKeys(body, known, refuseUnknown);
  refuseLongId(textOf(headers['openai-safety-identifier']), longestSafetyId, 'OpenAI-Safety-Identifier');
  const seconds = secondsOf(objectOf(body.expires_after));
  const session = checkedSession(objectOf(body.session));
  return jsonAnswer({
    value: newId('ek_'),
    expires_at: Math.floor(Date.now() / 1000) + seconds,
    session: { id: newId('sess_'), object: `realtime.${objectName(session)}`, expires_at: 0, ...session },
  });
}

const objectName = ({ type }: JsonObject) => (type === 'realtime' ? 'session' : 'transcription_session');

function secondsOf(expiry: JsonObject): number {
  checkKeys(expiry, wordSet('anchor seconds'), (key) => refuseUnknown(`expires_after.${key}`));
  const { anchor = 'created_at', seconds = defaultSeconds } = expiry;
  if (anchor !== 'created_at') refuseValue(anchor, 'expires_after.anchor', ['created_at']);
  if (isOutside(seconds, 10, 7_200))
    refuse("Invalid 'expires_after.seconds'.", 'expires_after.seconds', 'invalid_value');
  return Number(seconds);
}

function checkedSession(session: JsonObject): JsonObject {
  const type = textOf(session.type);
  if (session.type === undefined) refuseMissing('session.type');
  const fields = sessions[type] ?? refuseValue(type, 'session.type', Object.keys(sessions));
  checkKeys(session, fields, (key) => refuseUnknown(`session.${key}`));
  const { transcription } = objectOf(objectOf(session.audio).input);
  const model = type === 'realtime' ? session.model : objectOf(transcription).model;
  if (!models[type]?.test(textOf(model)))
    refuse(
      `The model \`${textOf(model)}\` does not exist or you do not have access to it.`,
      null,
      'model_not_found',
      404,
    );
  return session;
}
