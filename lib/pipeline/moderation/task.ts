/** What a moderation contributes to the pipeline. */
import { lazy } from '../../async/lazy.ts';
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ModeratedPart, ModerationRequest } from '../../core/generation/moderation.ts';
import type { Providers } from '../../providers/provider.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import { estimateTokens } from '../embeddings/tokens.ts';
import type { ModelTask } from '../model-task.ts';
import { callModeration, type Moderated, type ModerationCall } from './call-moderation.ts';

export interface AskedModeration {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly preferences?: ProviderPreferences;
  readonly request: ModerationRequest;
}

export function moderationsTask(
  { providers }: { readonly providers: Providers },
  { model, fallbacks, preferences, request }: AskedModeration,
): ModelTask<ModerationCall, Moderated> {
  const texts = request.input.flatMap((one) => textIn(one) ?? []);
  const images = request.input.flatMap((one, index) => (textIn(one) === undefined ? [`input.${index}`] : []));
  const estimate = lazy(() => estimateTokens(texts) + images.length * tokensOfImage);
  return {
    endpoint: 'moderations',
    model,
    fallbacks,
    preferences,
    needs: [{ modality: 'text' }, ...images.slice(0, 1).map((param) => ({ modality: 'image', param }))],
    canServe: ({ moderations }) => moderations !== undefined,
    inputTokens: estimate,
    output: () => ({ reserved: 0, isHidden: false, isInputUnknown: false }),
    maxTokens: () => ({
      input: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) + images.length * maxTokensOfImage,
      output: 0,
    }),
    firstOutputMs: () => undefined,
    prepare: (target) => prepare(providers, target, request, estimate()),
    call: callModeration,
  };
}

/** Undefined for an image. */
export const textIn = (one: string | ModeratedPart): string | undefined =>
  typeof one === 'string' ? one : one.type === 'text' ? one.text : undefined;

const tokensOfImage = 1_000;
const maxTokensOfImage = 10_000;

function prepare(
  providers: Providers,
  target: Target,
  request: ModerationRequest,
  estimate: number,
): ModerationCall {
  const provider = providers.get(target.deployment.provider);
  const moderations = provider?.moderations;
  if (provider && moderations) return { provider, moderations, target, request, estimate };
  const message = `The catalog names the provider '${target.deployment.provider}', which has no moderation.`;
  throw new GatewayError('upstream_model_missing', message);
}
