/** The Lambda of `DELETE /v1/responses/{response_id}`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { deleteResponseEndpoint } from '../lib/operations/responses/stored/delete.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';
import { withStart } from './start-run.ts';

/** What a provider goes on with is ended where workers are. */
const runtimeOf = (variables: Variables) => withStart(storedResponsesRuntime(variables), variables);

export const create = functionOf(generationRows, 'responses-delete', runtimeOf, deleteResponseEndpoint);
