/** The Lambda of `POST /v1/audio/speech`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { speechEndpoint } from '../lib/operations/speech/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(oneCallRows, 'audio-speech', generationRuntime, speechEndpoint);
