/**
 * `POST /v1/responses/input_tokens`: how many tokens the input of a response has. Nothing is generated, so it costs nothing and
 * is not in the ledger. It counts as a request of its key and tenant, without tokens and cost.
 */
import type { Answer, Call, Endpoint } from '../../../core/endpoint.ts';
import type { MaxUse } from '../../../core/ports/metering.ts';
import { countTokens } from '../../../pipeline/count-tokens.ts';
import { runTargets } from '../../../pipeline/run-targets.ts';
import { warmUp } from '../../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../../answer-facts.ts';
import { writeDebug } from '../../debug.ts';
import { bufferedGeneration } from '../../generation/buffered.ts';
import { generationTask } from '../../generation/task.ts';
import { type ResponsesParts, tenantOf } from '../endpoint.ts';
import { allowedHistory } from '../read/allowed-history.ts';
import { refersToStored } from '../read/history.ts';
import type { ResponsesInput } from '../read/read.ts';
import { readConversation } from '../read/read-items.ts';
import { countSchema, readCount } from './read.ts';

export function countEndpoint(parts: ResponsesParts): Endpoint<typeof countSchema, ResponsesInput> {
  return {
    schema: countSchema,
    read: readCount,
    prepare: ({ model }) => warmUp(parts, model),
    isCostly: refersToStored,
    mayBeFree: async () => true,
    bufferedLimit: () => bufferedGeneration,
    answer: (call) => answer(parts, call),
  };
}

async function answer(parts: ResponsesParts, call: Call<ResponsesInput>): Promise<Answer> {
  const { input } = call;
  const history = await allowedHistory(parts, call, tenantOf(call));
  const { model, fallbacks, leftOut } = input;
  const request = { ...input.request, messages: readConversation(input, history) };
  const asked = { model, fallbacks, leftOut, normalize: true, request };
  const task = { ...generationTask(parts, 'responses', asked, call), call: countTokens };
  const {
    target,
    attempts,
    prepared,
    answer: counted,
    ...first
  } = await runTargets(parts, task, unbilled(call));
  const changes = [...leftOut, ...first.changes, ...prepared.changes];
  const debug = writeDebug(input.debug, {
    changes,
    attempts,
    deprecations: [...input.deprecations, ...modelDeprecations(target.model)],
    // Tokens are counted without a charge.
    cost: () => 0,
  });
  const { inputTokens, isEstimated, sandbox } = counted;
  return {
    type: 'json',
    headers: {
      ...gatewayHeaders({ changes, sandbox }),
      ...(isEstimated && { 'x-gateway-estimated': 'true' }),
    },
    body: {
      object: 'response.input_tokens',
      input_tokens: inputTokens,
      ...(isEstimated && { estimated: true }),
      ...(debug && { debug }),
    },
  };
}

const none = { tokens: 0, amount: 0 };
const nothing: MaxUse = { fixed: none, perOutputToken: none, output: { most: 0, least: 0 }, isFree: true };

/** The call with facts of its own: what reaches the ledger is what the facts of a request say. */
function unbilled(call: Call<ResponsesInput>): Call<ResponsesInput> {
  return { ...call, facts: { attempts: [] }, admit: () => call.admit(() => nothing), begin: () => {} };
}
