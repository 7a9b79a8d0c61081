/** The OpenAPI documents, which the functions that serve them find beside their bundles. */
import { adminOpenapi } from './openapi/admin/admin-openapi.ts';
import { openapiDocument } from './openapi/openapi.ts';

const made = [
  { name: 'openapi', make: openapiDocument, bundles: ['openapi', 'server'] },
  { name: 'admin-openapi', make: adminOpenapi, bundles: ['admin', 'server'] },
];

/** Those of a bundle; of most there are none. */
export const documentsOf = (bundle: string) =>
  made
    .filter(({ bundles }) => bundles.includes(bundle))
    .map(({ name, make }) => ({ path: `${name}.json`, contents: JSON.stringify(make()) }));
