/** The Lambda of `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
import { transcriptionEndpoint } from '../lib/operations/transcriptions/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';
import { withForms } from './with-forms.ts';

const runtimeOf = withForms(generationRuntime);

export const create = functionOf('audio-transcriptions', runtimeOf, transcriptionEndpoint);
