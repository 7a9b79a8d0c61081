/** Fields of the provider's own protocol, as callers of chat and Responses give them. */
import { plainName } from '../core/generation/native-names.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type { FieldPaths } from '../core/generation/source.ts';
import { isJsonObject } from '../core/json-object.ts';
import { invalid } from './read-request.ts';

/** Fields of upstream requests that only the gateway may set, by their plain names. */
const ownFields = new Set([
  ...['model', 'models', 'route', 'stream', 'streamoptions', 'messages', 'input', 'contents', 'store'],
  ...['previousresponseid', 'conversation', 'background', 'n', 'candidatecount'],
]);

/** @throws GatewayError `invalid_request` for a field that only the gateway may set. */
export function checkNativeFields(fields: JsonObject, path = 'native_fields'): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = plainName(name);
    if (ownFields.has(field))
      throw invalid(`${path}.${name}`, 'is not supported: the gateway sets this field itself');
    if (field === 'generationconfig' && isJsonObject(value)) checkNativeFields(value, `${path}.${name}`);
  }
}

/** Where the caller finds them. A field of both is the caller's own parameter. */
export function nativePaths(body: { readonly native_fields?: JsonObject | null | undefined }): FieldPaths {
  const names = Object.keys(body.native_fields ?? {}).filter((name) => !Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, `native_fields.${name}`]));
}
