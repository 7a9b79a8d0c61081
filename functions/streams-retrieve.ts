/** The Lambda of `GET /v1/streams/{stream_id}`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { retrieveStreamEndpoint } from '../lib/operations/streams/retrieve.ts';
import { streamsRuntime } from '../lib/runtime/streams-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'streams-retrieve', streamsRuntime, retrieveStreamEndpoint);
