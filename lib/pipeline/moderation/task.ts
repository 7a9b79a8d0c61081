/** What a moderation contributes to the pipeline. */
import { lazy } from '../../async/lazy.ts';
import type { ModeratedPart, ModerationRequest } from '../../core/generation/moderation.ts';
import type { Providers } from '../../providers/provider.ts';
import { estimateTokens } from '../embeddings/tokens.ts';
import type { ModelTask } from '../model-task.ts';
import { type AskedModels, oneCallTask, servedBy } from '../one-call.ts';
import { callModeration, type Moderated, type ModerationCall } from './call-moderation.ts';

export interface AskedModeration extends AskedModels {
  readonly request: ModerationRequest;
}

export function moderationsTask(
  { providers }: { readonly providers: Providers },
  asked: AskedModeration,
): ModelTask<ModerationCall, Moderated> {
  const { request } = asked;
  const texts = request.input.flatMap((one) => textIn(one) ?? []);
  const images = request.input.flatMap((one, index) => (textIn(one) === undefined ? [`input.${index}`] : []));
  const estimate = lazy(() => estimateTokens(texts) + images.length * tokensOfImage);
  return {
    ...oneCallTask('moderations', asked, 'moderations'),
    needs: [{ modality: 'text' }, ...images.slice(0, 1).map((param) => ({ modality: 'image', param }))],
    inputTokens: estimate,
    maxTokens: () => ({
      input: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) + images.length * maxTokensOfImage,
      output: 0,
    }),
    prepare(target) {
      const { provider, serves: moderations } = servedBy(providers, target, 'moderations');
      return { provider, moderations, target, request, estimate: estimate() };
    },
    call: callModeration,
  };
}

/** Undefined for an image. */
export const textIn = (one: string | ModeratedPart): string | undefined =>
  typeof one === 'string' ? one : one.type === 'text' ? one.text : undefined;

const tokensOfImage = 1_000;
const maxTokensOfImage = 10_000;
