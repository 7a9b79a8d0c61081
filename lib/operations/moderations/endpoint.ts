/** Moderation: `POST /v1/moderations`. */
import { lazy } from '../../async/lazy.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ModeratedPart, ModerationRequest } from '../../core/generation/moderation.ts';
import { callModeration, type Moderated, type ModerationCall } from '../../pipeline/call-moderation.ts';
import { estimateTokens } from '../../pipeline/embeddings/tokens.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import type { Providers } from '../../providers/provider.ts';
import { gatewayHeaders, writeDebug } from '../answer-facts.ts';
import { type ModerationsInput, readModerations } from './read.ts';
import { moderationsSchema } from './schema.ts';

export function moderationsEndpoint(
  parts: PipelineParts,
): Endpoint<typeof moderationsSchema, ModerationsInput> {
  return {
    schema: moderationsSchema,
    read: readModerations,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'moderations'),
    async answer(call) {
      const first = await runTargets(parts, moderationsTask(parts, call.input), call);
      parts.health.succeeded(first.target);
      return write(call, first);
    },
  };
}

/** An id that is the provider's, or that of the request in the form of OpenAI's. */
const ownId = /^[\w-]{1,100}$/;

function write(
  call: Call<ModerationsInput>,
  { target, attempts, changes, answer }: TargetAnswer<ModerationCall, Moderated>,
): Answer {
  const { id = '', results, sandbox } = answer;
  call.facts.normalizations = changes.length;
  const debug = writeDebug(call, { target, changes, attempts });
  const body = {
    id: ownId.test(id) ? id : `modr-${call.requestId}`,
    model: target.model.id,
    results,
    ...(debug && { debug }),
  };
  return { type: 'json', headers: gatewayHeaders({ changes, sandbox }), body };
}

function moderationsTask(
  { providers }: { readonly providers: Providers },
  { model, fallbacks, preferences, request }: ModerationsInput,
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

const textIn = (one: string | ModeratedPart): string | undefined =>
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
