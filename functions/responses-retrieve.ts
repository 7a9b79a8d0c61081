/** The Lambda of `GET /v1/responses/{response_id}`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { retrieveResponseEndpoint } from '../lib/operations/responses/stored/retrieve.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';
import { withStart } from './start-run.ts';

/** A request for a response whose worker never began starts the worker again. */
const runtimeOf = (variables: Variables) => withStart(storedResponsesRuntime(variables), variables);

export const create = functionOf(generationRows, 'responses-retrieve', runtimeOf, retrieveResponseEndpoint);
