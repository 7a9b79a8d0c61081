/** The Lambda of `POST /v1/responses/{response_id}/cancel`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { cancelResponseEndpoint } from '../lib/operations/responses/background/cancel.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';
import { withStart } from './start-run.ts';

/** A worker sends the event of a response that is cancelled. */
const runtimeOf = (variables: Variables) => withStart(storedResponsesRuntime(variables), variables);

export const create = functionOf(generationRows, 'responses-cancel', runtimeOf, cancelResponseEndpoint);
