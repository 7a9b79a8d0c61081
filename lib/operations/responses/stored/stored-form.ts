/**
 * A response that is kept, as callers see it later: found by its id, for its own tenant alone, without what they did not
 * ask to include.
 */
import * as z from 'zod/mini';
import type { Call } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { isJsonObject } from '../../../core/json-object.ts';
import type { ResponseStore, StoredResponse } from '../../../core/stored-response.ts';

/** What a caller may ask to include. Two of them add something here; what the others name is always shown, or never there. */
export const includables = [
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'web_search_call.results',
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
] as const;

export type Includable = (typeof includables)[number];

/** The field `include` of a query: one name, or a list of them. */
export const includeField = z.pipe(
  z._default(z.union([z.enum(includables), z.array(z.enum(includables))]), []),
  z.transform((names): readonly Includable[] => [names].flat()),
);

/** The field of the path that names the response. */
export const responseIdField = z.string();

interface OfResponse {
  readonly response_id: string;
}

/** @throws GatewayError `not_found`, the same for every reason why it is not there for this caller. */
export async function findKept(
  store: ResponseStore,
  { input, key }: Call<OfResponse>,
): Promise<StoredResponse> {
  const kept = key && (await store.find(key.tenant, input.response_id));
  if (!kept) throw responseNotFound(input.response_id);
  return kept;
}

const shownLength = 64;

export function responseNotFound(id: string): GatewayError {
  const shown = id.length > shownLength ? `${id.slice(0, shownLength)}…` : id;
  const message = `Response with id '${shown}' not found (expired, deleted, or created with store: false).`;
  return new GatewayError('not_found', message);
}

/** An item without what is shown only to callers who ask for it. */
export function showItem(item: JsonObject, include: readonly Includable[]): JsonObject {
  if (item.type === 'reasoning' && !include.includes('reasoning.encrypted_content')) {
    const { encrypted_content, ...shown } = item;
    return shown;
  }
  if (item.type === 'web_search_call' && !include.includes('web_search_call.action.sources')) {
    const { sources, ...action } = isJsonObject(item.action) ? item.action : {};
    return { ...item, action };
  }
  return item;
}
