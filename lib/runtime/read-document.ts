/** Reads an OpenAPI document, which the build has put beside the bundle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws if there is none. */
export const readDocument = (name: 'openapi' | 'admin-openapi'): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8'));
