/**
 * What the operations that count have in common: a target is asked how many tokens the input of a request has. Nothing is
 * generated, so it costs nothing and is not in the ledger. It counts as a request of its key and tenant, without tokens and cost.
 */

import type { ModelEndpoint } from '../core/catalog/model-endpoints.ts';
import type { Answer, Call } from '../core/endpoint.ts';
import { noUse } from '../core/ports/metering.ts';
import { type CountedTokens, countTokens } from '../pipeline/count-tokens.ts';
import type { Asked } from '../pipeline/generation/prepare.ts';
import { generationTask } from '../pipeline/generation/task.ts';
import { guardRequest } from '../pipeline/guard-input.ts';
import type { PipelineParts } from '../pipeline/parts.ts';
import { runTargets } from '../pipeline/run-targets.ts';
import { type DebugInput, gatewayHeaders, writeDebug } from './answer-facts.ts';

/** `write`: the body of the answer, without the debug facts and the mark of an estimate. */
export async function countInput(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked & DebugInput,
  { call, write }: { readonly call: Call<unknown>; readonly write: (counted: CountedTokens) => object },
): Promise<Answer> {
  const passed = await guardRequest(parts, asked, call);
  const task = { ...generationTask(parts, endpoint, passed, call), call: countTokens };
  const { target, attempts, prepared, answer, ...first } = await runTargets(parts, task, unbilled(call));
  const changes = [...passed.leftOut, ...first.changes, ...prepared.changes];
  // Tokens are counted without a charge.
  const facts = writeDebug({ ...unbilled(call), input: asked }, { target, changes, attempts });
  const { isEstimated, sandbox } = answer;
  return {
    type: 'json',
    headers: {
      ...gatewayHeaders({ changes, sandbox }),
      ...(isEstimated && { 'x-gateway-estimated': 'true' }),
    },
    body: { ...write(answer), ...(isEstimated && { estimated: true }), ...(facts && { debug: facts }) },
  };
}

/** The call with facts of its own: what reaches the ledger is what the facts of a request say. */
function unbilled(call: Call<unknown>): Call<unknown> {
  return { ...call, facts: { attempts: [] }, admit: () => call.admit(() => noUse), begin: () => {} };
}
