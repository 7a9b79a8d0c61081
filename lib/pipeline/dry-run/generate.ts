/** The dry run of the operations that generate: an answer that ends before it has begun. */
import { pipe } from '../../async/pipe.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Generated } from '../generation/generated.ts';
import type { Asked } from '../generation/prepare.ts';
import { generationTask } from '../generation/task.ts';
import type { PipelineParts } from '../parts.ts';
import { dryRun } from './dry-run.ts';

/** Rejects as `dryRun`. */
export async function generateDry(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  const task = generationTask(parts, endpoint, asked, call);
  const moderation =
    asked.request.parameters.moderation &&
    (await import('../moderation/inline.ts')).inlineModeration(parts, asked, call);
  const { target, attempts, prepared, report, ...first } = await dryRun(
    parts,
    moderation ? moderation.before(task) : task,
    call,
    asked,
    async () => (await import('../cache/cached-generation.ts')).cacheableOf(endpoint, asked),
  );
  const changes = [...asked.leftOut, ...first.changes, ...prepared.changes];
  call.facts.normalizations = changes.length;
  const inputTokens = task.inputTokens();
  return {
    target,
    attempts,
    changes,
    isOriginal: false,
    sandbox: false,
    dry: { inputTokens, report: report({ inputTokens, exact: false }, changes) },
    events: pipe(emptyAnswer(asked.request, { endpoint, inputTokens }), asItIs),
  };
}

/** Clients parse a text where JSON is asked for, but no refusal. Anthropic's have none. */
async function* emptyAnswer(
  { parameters: { n: choices = 1, response_format: format } }: GenerationRequest,
  { endpoint, inputTokens: promptTokens }: { readonly endpoint: ModelEndpoint; readonly inputTokens: number },
): AsyncGenerator<GenerationEvent> {
  const isParsed = (format?.type ?? 'text') !== 'text' && endpoint !== 'messages';
  for (let choice = 0; choice < choices; choice += 1) {
    yield isParsed ? { type: 'refusal', choice, text: refusal } : { type: 'text', choice, text: '' };
    yield { type: 'finish', choice, reason: 'stop' };
  }
  const usage = {
    promptTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
  };
  yield { type: 'usage', usage };
}

const refusal = 'This is a dry run.';

const asItIs = { each: (event: GenerationEvent, out: GenerationEvent[]) => void out.push(event) };
