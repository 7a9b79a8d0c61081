/** What a request refers to, for a caller who may use its models. */
import type { Call } from '../../../core/endpoint.ts';
import type { Catalog } from '../../../core/ports/catalog.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { checkAllowed } from '../../../pipeline/check-allowed.ts';
import { findHistory, type History, refersToStored } from './history.ts';
import type { ResponsesInput } from './read.ts';

interface HistoryParts {
  readonly catalog: Catalog;
  readonly responses: ResponseStore;
}

/** Rejects as `checkAllowed` before anything that is stored is read, and as `findHistory`. */
export async function allowedHistory(
  { catalog, responses }: HistoryParts,
  call: Call<ResponsesInput>,
  tenant: string,
): Promise<History> {
  const { input } = call;
  if (refersToStored(input)) await checkAllowed({ catalog }, input, call);
  return await findHistory(responses, tenant, input);
}
