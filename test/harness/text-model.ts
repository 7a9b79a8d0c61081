/** Rows of the catalog: models that answer in text at one place, but for what `more` says. */

/** Without its id, as the admin API takes it. */
export const textRow = (deployment: object, more: object = {}) => ({
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: null, input: null, output: 4096 },
  traits: {},
  price: { input: 1, output: 2 },
  deployments: [{ region: 'global', ...deployment }],
  ...more,
});

export const textModel = (id: string, deployment: object, more: object = {}) => ({
  id,
  ...textRow(deployment, more),
});
