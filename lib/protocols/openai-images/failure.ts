/** Reads errors of OpenAI's image protocol: as in its chat protocol, and who rejected the image. */
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asText } from '../json.ts';
import {
  readFailure as readChatFailure,
  readReportedFailure as readChatReportedFailure,
} from '../openai-chat/failure.ts';
import { beginsWith } from '../own-words.ts';

/** OpenAI's code, which callers know. */
const blocked = 'moderation_blocked';

/** Azure's code for what it drew and does not show; xAI has only a sentence. */
const signs = /^(?:contentFilter$|[\w ,.-]{0,120}\b(?:content moderation|safety system)\b)/i;

export function readFailure(failure: UpstreamFailure): GatewayError {
  return asRefusal(readChatFailure(failure), asObject(parseJson(failure.body)));
}

/** The error that a successful answer reports instead of images; undefined for none. */
export function readReportedFailure(answer: JsonObject): GatewayError | undefined {
  const error = readChatReportedFailure(answer);
  return error && asRefusal(error, answer);
}

function asRefusal(error: GatewayError, { error: reported }: JsonObject): GatewayError {
  const { code, message } = asObject(reported);
  if (error.kind === 'upstream_content_policy')
    return code === blocked ? error.with({ providerCode: blocked }) : error;
  const texts = [asText(code), asText(message), asText(reported)];
  if (error.kind !== 'upstream_bad_request' || !texts.some((text) => beginsWith(text, signs))) return error;
  return new GatewayError('upstream_content_policy', error.message, { upstreamStatus: error.upstreamStatus });
}
