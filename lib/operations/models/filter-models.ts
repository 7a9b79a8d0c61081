/** Filters of the model list. A model is listed if a request that uses what is filtered by would be planned for it. */
import type { Model } from '../../core/catalog/model.ts';
import { isServed } from '../../core/catalog/model.ts';
import { operations } from '../../core/operations.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { allowsModel, allowsOperation, dataPoliciesOf } from '../../core/tenancy.ts';
import { dataRule } from '../../routing/data-rule.ts';
import { excludedBy } from '../../routing/provider-preferences.ts';
import type { Supported } from './supported.ts';

interface ModelFilters {
  readonly supports: readonly Supported[];
  /** A region or region group. */
  readonly region?: string | undefined;
  readonly zdr: boolean;
  /** Only what this key may use; absent: whatever a key may use. */
  readonly key?: ApiKey | undefined;
}

interface Listed {
  readonly models: readonly Model[];
  readonly aliases: Awaited<ReturnType<Catalog['aliases']>>;
}

/** The ids of the models, and the names of the aliases, that pass the filters. */
export async function filteredIds(
  { dataFacts }: Pick<Catalog, 'dataFacts'>,
  { models, aliases }: Listed,
  filters: ModelFilters,
): Promise<ReadonlySet<string>> {
  const passes = filterOf(filters, await dataFacts?.());
  const byId = new Map(models.map((model) => [model.id, model]));
  const passing = [...aliases].filter(([, targets]) => {
    const able = targets.flatMap(({ model }) => byId.get(model) ?? []).filter(passes.mayBeChosen);
    // Which of them a request goes to is decided without a look at their deployments.
    return able.length > 0 && able.every(passes.complies);
  });
  const own = models.filter((model) => passes.mayBeChosen(model) && passes.complies(model));
  return new Set([...own.map(({ id }) => id), ...passing.map(([name]) => name)]);
}

function filterOf({ supports, region, zdr, key }: ModelFilters, own: Parameters<typeof dataRule>[0]['own']) {
  const preferences = {
    ...(region !== undefined && { regions: [region] }),
    ...(zdr && { noRetention: true }),
  };
  const features = supports.includes('web_search') ? [{ feature: 'web_search', param: 'supports' }] : [];
  const rule = dataRule({ preferences, policies: dataPoliciesOf(key), features, own });
  return {
    mayBeChosen: (model: Model) =>
      isServed(model) && supports.every((one) => supported[one](model)) && (!key || isAllowed(key, model)),
    complies: (model: Model) =>
      model.deployments.some(
        (deployment) => excludedBy({ model, deployment }, preferences, undefined, rule) === undefined,
      ),
  };
}

function isAllowed({ keyPolicy = {}, tenantPolicy = {} }: ApiKey, { id, endpoints }: Model): boolean {
  const policies = [keyPolicy, tenantPolicy];
  const isUsable = operations.some(
    ({ name, endpoint }) =>
      endpoint !== undefined &&
      endpoints.includes(endpoint) &&
      policies.every((policy) => allowsOperation(policy, name)),
  );
  return isUsable && policies.every((policy) => allowsModel(policy, id));
}

const generates = ({ endpoints }: Model) => endpoints.includes('chat_completions');
const takes = (modality: string) => (model: Model) => model.modalities.input.includes(modality);
const serves = (endpoint: Model['endpoints'][number]) => (model: Model) => model.endpoints.includes(endpoint);

const supported: Readonly<Record<Supported, (model: Model) => boolean>> = {
  chat_completions: serves('chat_completions'),
  responses: serves('responses'),
  messages: serves('messages'),
  embeddings: serves('embeddings'),
  images_generations: serves('images_generations'),
  moderations: serves('moderations'),
  rerank: serves('rerank'),
  audio_speech: serves('audio_speech'),
  audio_transcriptions: serves('audio_transcriptions'),
  realtime: serves('realtime'),
  image: takes('image'),
  pdf: takes('pdf'),
  audio: takes('audio'),
  video: takes('video'),
  tools: (model) =>
    generates(model) && model.traits.toolChoices?.every((choice) => choice === 'none') !== true,
  reasoning: ({ traits }) => traits.reasoning !== undefined,
  structured_outputs: ({ traits }) => traits.structuredOutput === 'schema',
  web_search: ({ traits }) => traits.webSearch === true,
};
