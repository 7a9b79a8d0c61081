/** What an error of OpenAI's image wire means: as on its chat wire, and who refused what was to be drawn. */
import { GatewayError } from '../../core/errors.ts';
import type { UpstreamFailure } from '../../core/protocol.ts';
import { asObject, asText, parseJson } from '../json.ts';
import { readFailure as readChatFailure } from '../openai-chat/failure.ts';

/** OpenAI's code, which callers know. */
const blocked = 'moderation_blocked';

/** Azure's code for what it drew and does not show; xAI has only a sentence. */
const signs = /^contentFilter$|\bcontent moderation\b|\bsafety system\b/i;

export function readFailure(failure: UpstreamFailure): GatewayError {
  const error = readChatFailure(failure);
  const { error: reported } = asObject(parseJson(failure.body));
  const { code, message } = asObject(reported);
  if (error.kind === 'upstream_content_policy')
    return code === blocked ? error.with({ code: blocked }) : error;
  const texts = [asText(code), asText(message), asText(reported)];
  if (error.kind !== 'upstream_bad_request' || !texts.some((text) => signs.test(text))) return error;
  return new GatewayError('upstream_content_policy', error.message, { upstreamStatus: failure.status });
}
