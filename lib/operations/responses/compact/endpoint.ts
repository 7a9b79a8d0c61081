/**
 * `POST /v1/responses/compact`: a long conversation as a short one, which the next request begins with. OpenAI and Azure do it
 * themselves. Elsewhere the model writes a summary, and the item says so (`created_by: gateway`).
 */
import * as z from 'zod/mini';
import { pipe } from '../../../async/pipe.ts';
import type { Answer, Call, Endpoint } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import type { GenerationRequest, JsonObject, Message } from '../../../core/generation/request.ts';
import type { MaxTokens } from '../../../metering/limits/highest-cost.ts';
import { type Compacted, compact } from '../../../pipeline/compact.ts';
import { bufferedGeneration, generating } from '../../../pipeline/generation/buffered.ts';
import { withoutNative } from '../../../pipeline/generation/native/read-native.ts';
import { observe } from '../../../pipeline/generation/observe.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import type { RetriableGeneration } from '../../../pipeline/generation/retry-modifiers.ts';
import { generationTask } from '../../../pipeline/generation/task.ts';
import { guardRequest } from '../../../pipeline/guard-input.ts';
import type { ModelTask } from '../../../pipeline/model-task.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { runTargets } from '../../../pipeline/run-targets.ts';
import { costInUsage, gatewayHeaders, withCost, writeDebug } from '../../answer-facts.ts';
import { refuseDryRun } from '../../read-request.ts';
import { nullish } from '../../request-schema.ts';
import { type ResponsesParts, tenantOf } from '../endpoint.ts';
import { allowedHistory, refersToStored } from '../read/history.ts';
import type { ConversationItem } from '../read/item.ts';
import { type ResponsesInput, readResponses } from '../read/read.ts';
import { readConversation } from '../read/read-items.ts';
import { inputField, responsesSchema } from '../read/schema.ts';
import { encodeSummary } from '../write/encrypted-content.ts';
import { responsePrefix } from '../write/ids.ts';
import { writeUsage } from '../write/response-object.ts';

export function compactEndpoint(parts: ResponsesParts): Endpoint<typeof compactSchema, ResponsesInput> {
  return {
    schema: compactSchema,
    read: readCompact,
    ...generating(parts, 'responses'),
    isCostly: refersToStored,
    bufferedLimit: () => bufferedGeneration,
    answer: (call) => answer(parts, call),
  };
}

async function answer(parts: ResponsesParts, call: Call<ResponsesInput>): Promise<Answer> {
  const { input, facts } = call;
  const history = await allowedHistory(parts, call, tenantOf(call));
  // Nothing of the conversation is cut off, and the summary has no form to repair.
  const { truncate: _, repair: __, ...given } = input;
  const request = { ...input.request, messages: readConversation(input, history) };
  const asked = await guardRequest(parts, { ...given, normalize: true, request }, call);
  facts.streamed = false;
  const first = await runTargets(parts, compactTask(parts, asked, call), call);
  const { target, attempts, prepared, answer: compacted } = first;
  const changes = [...asked.leftOut, ...first.changes, ...prepared.changes, ...compacted.changes];
  facts.normalizations = changes.length;
  const debug = writeDebug(call, { target, changes, attempts });
  const id = parts.newId(responsePrefix);
  return {
    type: 'json',
    headers: gatewayHeaders({ changes, sandbox: compacted.sandbox }),
    body: {
      id,
      object: 'response.compaction',
      created_at: Math.floor(parts.now() / 1000),
      model: target.model.id,
      output: outputOf(compacted, id, [...history.earlier, ...history.items]),
      usage: compacted.usage ? withCost(writeUsage(compacted.usage), costInUsage(call)) : null,
      ...(debug && { debug }),
    },
  };
}

/** How much of what the user said is kept beside a summary, from the end of the conversation, in characters. */
const keptCharacters = 80_000;

/** The provider's own items, or what the user said last and the summary of everything. */
function outputOf(
  compacted: Compacted,
  id: string,
  conversation: readonly ConversationItem[],
): readonly object[] {
  if ('items' in compacted) return compacted.items;
  const summary = {
    type: 'compaction',
    id: `cmp_${id.slice(responsePrefix.length)}`,
    encrypted_content: encodeSummary(compacted.summary),
    created_by: 'gateway',
  };
  return [...lastTexts(conversation), summary];
}

function lastTexts(conversation: readonly ConversationItem[]): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  let left = keptCharacters;
  for (const item of conversation.toReversed()) {
    if (item.type !== 'message' || item.role !== 'user') continue;
    const content = item.content.flatMap((part) =>
      part.type === 'input_text' ? [{ type: 'input_text', text: part.text }] : [],
    );
    left -= content.reduce((sum, { text }) => sum + text.length, 0);
    if (left < 0) break;
    if (content.length > 0) kept.unshift({ type: 'message', role: 'user', content });
  }
  return kept;
}

function compactTask(
  parts: PipelineParts,
  asked: Asked,
  call: Call<unknown>,
): ModelTask<RetriableGeneration, Compacted> {
  const { request, changes } = withoutNative(asked.request, 'A compaction takes no fields of the provider.');
  const whole = generationTask(parts, 'responses', { ...asked, request }, call);
  const summary = generationTask(parts, 'responses', { ...asked, request: asSummary(request) }, call);
  return {
    ...summary,
    maxTokens: (target) => atMostItsInput(summary.maxTokens(target)),
    prepareWithin: (granted) => compactTask(parts, { ...asked, granted }, call).prepare,
    prepare(target, primary) {
      const own = whole.prepare(target, primary);
      const prepared = own.generation.compactor ? own : summary.prepare(target, primary);
      return { ...prepared, changes: [...changes, ...prepared.changes] };
    },
    call: (prepared, options) =>
      compact(prepared, options, ({ events }) =>
        pipe(events, observe(prepared.target, parts.health, call, options.attempt)),
      ),
  };
}

/** A provider that compacts by itself takes no limit, but what it makes is shorter than what it was given. */
const atMostItsInput = ({ usualOutput: _, ...max }: MaxTokens): MaxTokens => {
  const output = Math.min(max.output, Math.max(max.input, leastCompaction));
  return { ...max, output, minOutput: output };
};

const leastCompaction = 4_096;

const instruction = [
  'The conversation above is about to be cut off. Write the summary with which somebody else can continue it without a loss:',
  'what was asked for, what was decided and why, what was done, found out and changed (with names, paths, numbers and quotes',
  'that matter), what is still open, and the next step. Write only the summary.',
].join(' ');

/** The tools stay declared, because the conversation may hold calls of them, but none may be called. */
function asSummary(request: GenerationRequest): GenerationRequest {
  const { webSearch: _, ...rest } = request;
  const { response_format: __, tool_choice: ___, ...parameters } = request.parameters;
  const ask: Message = { role: 'user', content: [{ type: 'text', text: instruction }] };
  return {
    ...rest,
    messages: [...request.messages, ask],
    parameters: { ...parameters, ...(request.tools.length > 0 && { tool_choice: 'none' as const }) },
    stream: false,
  };
}

export const compactSchema = z.extend(responsesSchema, {
  input: nullish(inputField),
  stream: nullish(z.literal(false, 'is not supported: a compaction is one object')),
  background: nullish(z.literal(false, 'is not supported: a compaction comes with its request')),
});

export function readCompact(body: z.infer<typeof compactSchema>, given: unknown = body): ResponsesInput {
  refuseDryRun(body);
  const input = body.input ?? [];
  if (input.length === 0 && !body.previous_response_id) throw invalid('input', 'is required');
  return readResponses({ ...body, input }, given);
}
