/**
 * `POST /v1/responses/compact`: a long conversation as a short one, which the next request begins with. OpenAI and Azure do it
 * themselves. Elsewhere the model writes a summary, and the item says so (`created_by: gateway`).
 */
import type { Answer, Call, Endpoint } from '../../../core/endpoint.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { Compacted } from '../../../pipeline/compact.ts';
import { bufferedGeneration } from '../../../pipeline/generation/buffered.ts';
import { runTargets } from '../../../pipeline/run-targets.ts';
import { mayBeFree } from '../../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../../answer-facts.ts';
import { chargeSoFar, costInUsage, withCost } from '../../charge-so-far.ts';
import { writeDebug } from '../../debug.ts';
import { type ResponsesParts, tenantOf } from '../endpoint.ts';
import { allowedHistory } from '../read/allowed-history.ts';
import { refersToStored } from '../read/history.ts';
import type { ConversationItem } from '../read/item.ts';
import type { ResponsesInput } from '../read/read.ts';
import { readConversation } from '../read/read-items.ts';
import { responsePrefix } from '../write/ids.ts';
import { writeUsage } from '../write/response-object.ts';
import { encodeSummary } from '../write/summary.ts';
import { compactSchema, readCompact } from './read.ts';
import { compactTask } from './task.ts';

export function compactEndpoint(parts: ResponsesParts): Endpoint<typeof compactSchema, ResponsesInput> {
  return {
    schema: compactSchema,
    read: readCompact,
    prepare: ({ model }) => warmUp(parts, model),
    isCostly: refersToStored,
    mayBeFree: mayBeFree(parts, 'responses'),
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
  const asked = { ...given, normalize: true, request };
  facts.streamed = false;
  const {
    target,
    attempts,
    prepared,
    answer: compacted,
    ...first
  } = await runTargets(parts, compactTask(parts, asked, call), call);
  const changes: readonly Change[] = [
    ...input.leftOut,
    ...first.changes,
    ...prepared.changes,
    ...compacted.changes,
  ];
  facts.normalizations = changes.length;
  const debug = writeDebug(input.debug, {
    changes,
    attempts,
    deprecations: [...input.deprecations, ...modelDeprecations(target.model)],
    cost: () => chargeSoFar(call),
  });
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
