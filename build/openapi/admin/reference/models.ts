/** The part of the reference of the dashboard's API that is about models and the playground. */
import { modelsListAnswer, modelsListQuery } from '../../../../lib/admin/models/schema.ts';
import type { AdminReference } from '../admin-reference.ts';

export const modelsReference: Readonly<Record<string, AdminReference>> = {
  'admin-models-list': {
    tag: 'Models',
    title: 'List models with prices and deployments',
    summary:
      'Lists the catalog by id: what models can do, what they cost, where they are served, and how these deployments did in the last hours. A tenant sees what it is charged.',
    parameters: modelsListQuery,
    answer: ['ModelList', modelsListAnswer],
  },
  'admin-playground': {
    tag: 'Playground',
    title: 'Try a model',
    summary:
      'The same as `POST /v1/chat/completions`, with an API key of the gateway: fields, answers, streams and errors are in its reference.',
  },
};
