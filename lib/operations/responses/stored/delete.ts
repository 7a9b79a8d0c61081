/** Deletes a stored response, or one that is created in the background, which ends: `DELETE /v1/responses/{response_id}`. */
import * as z from 'zod/mini';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { plainEndpoint } from '../../plain-endpoint.ts';
import { type BackgroundParts, releaseRun } from '../background/run-state.ts';
import { responseIdField, responseNotFound } from './stored-format.ts';

export const schema = z.object({ response_id: responseIdField });

interface DeleteParts {
  readonly responses: ResponseStore;
  readonly background: Pick<BackgroundParts, 'runs' | 'release' | 'start' | 'now'>;
}

export const deleteResponseEndpoint = ({ responses, background }: DeleteParts) =>
  plainEndpoint({ schema }, async ({ input: { response_id: id }, key }) => {
    const tenant = key?.tenant ?? '';
    // A run that is gone is cancelled: its worker stores nothing any more.
    const run = await background.runs.remove({ tenant, id });
    if (run) await releaseRun(background, run);
    const isDeleted = await responses.delete(tenant, id);
    if (!run && !isDeleted) throw responseNotFound(id);
    return { type: 'json', body: { id, object: 'response', deleted: true } };
  });
