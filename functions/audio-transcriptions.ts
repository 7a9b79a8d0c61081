/** The Lambda of `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { transcriptionEndpoint } from '../lib/operations/transcriptions/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';
import { withForms } from './with-forms.ts';

const runtimeOf = withForms(generationRuntime);

export const create = functionOf(oneCallRows, 'audio-transcriptions', runtimeOf, transcriptionEndpoint);
