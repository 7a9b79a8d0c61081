/**
 * A stored response as callers see it: found by its id, by its own tenant only, without fields that they did not ask to
 * include.
 */
import * as z from 'zod/mini';
import type { Call } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import { isJsonObject, objectsIn } from '../../../core/formats/json-object.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { FoundResponse, ResponseStore } from '../../../core/stored-response.ts';

/** The values of `include`. Two of them have an effect; the others name fields that are always shown or never exist. */
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

/** The query field `include`: one name or a list of names. */
export const includeField = z.pipe(
  z._default(z.union([z.enum(includables), z.array(z.enum(includables))]), []),
  z.transform((names): readonly Includable[] => [names].flat()),
);

/** The path parameter with the id of the response. */
export const responseIdField = z.string();

interface OfResponse {
  readonly response_id: string;
}

/** @throws GatewayError `not_found`, with the same message whatever the reason. */
export async function findStored(
  store: ResponseStore,
  { input, key }: Call<OfResponse>,
): Promise<FoundResponse> {
  return orNotFound(key && (await store.find(key.tenant, input.response_id)), input);
}

/** What was read of it. @throws GatewayError `not_found` where it is damaged, or deleted by now. */
export function orNotFound<Read>(read: Read | undefined, { response_id: id }: OfResponse): Read {
  if (read === undefined) throw responseNotFound(id);
  return read;
}

const maxShownLength = 64;

export function responseNotFound(id: string): GatewayError {
  const shown = id.length > maxShownLength ? `${id.slice(0, maxShownLength)}…` : id;
  const message = `Response with id '${shown}' not found (expired, deleted, or created with store: false).`;
  return new GatewayError('not_found', message);
}

/** The item without the fields that are shown only on request. */
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

/** A response with the fields of its items that were asked for. */
export const showResponse = (response: JsonObject, include: readonly Includable[] = []): JsonObject => ({
  ...response,
  output: objectsIn(response.output).map((item) => showItem(item, include)),
});
