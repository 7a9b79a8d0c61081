/** The Lambda of `POST /v1/images/generations` and `POST /v1/images/edits`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { editsEndpoint, imagesEndpoint } from '../lib/operations/images/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';
import { groupOf } from './group-of.ts';
import { withForms } from './with-forms.ts';

const withBodies = withForms(generationRuntime);

export const create = groupOf(oneCallRows, 'images-generations', {
  'images-generations': functionOf(oneCallRows, 'images-generations', generationRuntime, imagesEndpoint),
  'images-edits': functionOf(oneCallRows, 'images-edits', withBodies, editsEndpoint),
});
