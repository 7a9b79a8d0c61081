/** A JSON object as a text that a person edits. */
import { ApiError } from '../api/api-error.ts';

/** Throws ApiError of the field `param`. */
export function readObject(text: string, param: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw problem(`This is not JSON: ${(thrown as Error).message}`, param);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw problem('This must be a JSON object.', param);
  return value as Readonly<Record<string, unknown>>;
}

export const problem = (message: string, param: string) => new ApiError({ status: 400, message, param });
