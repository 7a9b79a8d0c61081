/** The OpenAPI documents, which the functions that serve them find beside their bundles. */
import { adminOpenapi } from './openapi/admin/admin-openapi.ts';
import { openapiDocument } from './openapi/openapi.ts';

const made = { openapi: openapiDocument, 'admin-openapi': adminOpenapi };

/** Those of a bundle; of most there are none. */
export const documentsOf = (bundle: string) =>
  Object.entries(made)
    .filter(([name]) => name === bundle || bundle === 'server')
    .map(([name, make]) => ({ path: `${name}.json`, contents: JSON.stringify(make()) }));
