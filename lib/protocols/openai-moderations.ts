/** OpenAI's moderation API, also used by Mistral, whose results do not say whether they are flagged. */
import type { Moderation, ModerationCreateResponse } from 'openai/resources/moderations';
import { asObject, isJsonObject, objectsIn, type Wire } from '../core/formats/json-object.ts';
import type { ModerationProtocol, ModerationResult } from '../core/generation/moderation.ts';
import { upstreamError } from './failure.ts';
import { asCount, asOptionalText } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';

/** The types of OpenAI's SDK, which are erased; `usage` is Mistral's. */
type Answer = Wire<ModerationCreateResponse | { readonly usage: unknown; readonly error: unknown }>;
type Usage = Wire<{ readonly prompt_tokens: number }>;

export const openaiModerations: ModerationProtocol = {
  path: '/moderations',
  encode: ({ input }, { deployment }) => ({ model: deployment.upstreamId, input }),
  decode(body, inputs) {
    const answer = asObject<Answer>(body);
    refuseReported(answer);
    const results = objectsIn(answer.results).map(readResult);
    if (results.length !== inputs) throw upstreamError('upstream_invalid_answer');
    const { prompt_tokens: tokens } = asObject<Usage>(answer.usage);
    return {
      id: asOptionalText(answer.id),
      results,
      promptTokens: tokens === undefined ? undefined : asCount(tokens),
    };
  },
  readFailure,
};

function readResult(result: Wire<Moderation>): ModerationResult {
  const { flagged, categories, category_scores: scores, category_applied_input_types: types } = result;
  if (!isJsonObject(categories) || !isJsonObject(scores)) throw upstreamError('upstream_invalid_answer');
  return {
    flagged: typeof flagged === 'boolean' ? flagged : Object.values(categories).includes(true),
    categories,
    category_scores: scores,
    ...(isJsonObject(types) && { category_applied_input_types: types }),
  };
}
