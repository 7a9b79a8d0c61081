/** The reference of the operations on models, and of the OpenAPI document. */
import { schema as modelsSchema } from '../../../lib/operations/models/list.ts';
import { schema as modelsRetrieveSchema } from '../../../lib/operations/models/retrieve.ts';
import { schema as openapiSchema } from '../../../lib/operations/openapi.ts';
import { modelsFields, modelsRetrieveFields } from '../fields/others.ts';
import { type OperationReferences, tagged } from '../operation-reference.ts';

export const modelsReference = {
  ...tagged('Models', {
    models: {
      title: 'List models',
      summary:
        'Lists the models and the operations that each one supports. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.',
      isTagged: true,
      schema: modelsSchema,
      fields: modelsFields,
      answer: 'Models',
    },
    'models-retrieve': {
      title: 'Get a model',
      summary:
        "Returns one model, or one of the operator's aliases. The slash of an id may be sent as it is or as `%2F`. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.",
      isTagged: true,
      schema: modelsRetrieveSchema,
      fields: modelsRetrieveFields,
      answer: 'Model',
    },
  }),
  openapi: {
    tag: 'Reference',
    title: 'Get the OpenAPI document',
    summary:
      'Returns the OpenAPI 3.1 document of this API. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.',
    isTagged: true,
    schema: openapiSchema,
    fields: {},
  },
} satisfies OperationReferences;
