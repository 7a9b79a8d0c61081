/** The part of the reference of the dashboard's API that is about what an operator writes into the catalog. */
import * as catalog from '../../../../lib/admin/catalog/schema.ts';
import { type AdminReference, tagged } from '../admin-reference.ts';

const hosts = 'Hosts of your own';
const models = 'Models';
const aliases = 'Aliases';
const setting = { takesIfMatch: true, takesIfNoneMatch: true } as const;

export const catalogReference: Readonly<Record<string, AdminReference>> = {
  ...tagged(hosts, {
    'admin-hosts-list': {
      title: 'List hosts of your own',
      summary: 'Lists the OpenAI-compatible hosts that were added, with their rows.',
      answer: ['HostList', catalog.hostsListAnswer],
    },
    'admin-hosts-put': {
      title: 'Set a host of your own',
      summary:
        'Adds an OpenAI-compatible host, or replaces its row. It is then a provider, within a minute: store its key with its settings, and add its models.',
      parameters: catalog.hostPath,
      body: catalog.rowInput,
      answer: ['ChangedHost', catalog.hostsPutAnswer],
      ...setting,
    },
    'admin-hosts-delete': {
      title: 'Remove a host of your own',
      summary:
        'Removes a host that was added. Its models stay in the catalog, and its stored key is not removed.',
      parameters: catalog.hostPath,
      answer: ['DeletedHost', catalog.hostsDeleteAnswer],
      takesIfMatch: true,
    },
  }),
  ...tagged(models, {
    'admin-models-retrieve': {
      title: 'Get the row of a model',
      summary: 'Returns the catalog row of a model, with its prices of all times and its deployments.',
      parameters: catalog.modelPath,
      answer: ['ModelRow', catalog.modelRowSchema],
    },
    'admin-models-put': {
      title: 'Set the row of a model',
      summary:
        'Adds a model, or replaces its row with all its prices. The row is yours from then on, and `catalog sync` does not overwrite it. It takes effect within a minute.',
      parameters: catalog.modelPath,
      body: catalog.rowInput,
      answer: ['ChangedModelRow', catalog.modelsPutAnswer],
      ...setting,
    },
    'admin-models-delete': {
      title: 'Remove a model of your own',
      summary:
        'Removes a row of yours. A row that ships with the gateway stays; where yours replaced one, it is back with the next `catalog sync`.',
      parameters: catalog.modelPath,
      answer: ['DeletedModelRow', catalog.modelsDeleteAnswer],
      takesIfMatch: true,
    },
  }),
  ...tagged(aliases, {
    'admin-aliases-list': {
      title: 'List aliases',
      summary: 'Lists the names that you gave to models.',
      answer: ['AliasList', catalog.aliasesListAnswer],
    },
    'admin-aliases-put': {
      title: 'Set an alias',
      summary:
        'Lets callers use a name of yours for one or several models, within a minute. A target with a condition is preferred for requests that meet it.',
      parameters: catalog.aliasPath,
      body: catalog.aliasesPutInput,
      answer: ['Alias', catalog.aliasSchema],
      ...setting,
    },
    'admin-aliases-delete': {
      title: 'Remove an alias',
      summary: 'Removes a name that you gave to models.',
      parameters: catalog.aliasPath,
      answer: ['DeletedAlias', catalog.aliasesDeleteAnswer],
      takesIfMatch: true,
    },
  }),
};
