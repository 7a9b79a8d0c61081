/** The Lambda of `GET /v1/streams/{stream_id}`. */
import { retrieveStreamEndpoint } from '../lib/operations/streams/retrieve.ts';
import { streamsRuntime } from '../lib/runtime/streams-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('streams-retrieve', streamsRuntime, retrieveStreamEndpoint);
