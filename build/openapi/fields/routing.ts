/** Descriptions of OpenRouter's fields for routing. */
import type { Fields } from '../describe-fields.ts';
import { below, usageOfChunks } from './shared.ts';

const provider: Fields = {
  order: 'Providers to try first, in this order. A deployment in a region is `<provider>/<region>`.',
  only: 'Only these providers.',
  ignore: 'Not these providers.',
  allow_fallbacks:
    '`false`: no deployments but those of `order`; without `order`, only the first. Fallback models are not affected.',
  require_parameters: '`true`: no deployment that would leave out one of the parameters.',
  data_collection: '`deny`: only deployments of which the operator has said that they do not collect data.',
  zdr: '`true`: only deployments of which the operator has said that they keep nothing.',
  regions:
    'Only deployments of which the catalog knows that all they are sent is processed and kept within these regions of a cloud (`eu-central-1`) or region groups (`au`, `ca`, `ch`, `eu`, `jp`, `uk`, `us`, `us-gov`, `apac`). Fallbacks, too.',
  sort: '`price`: the cheapest deployment first. Throughput and latency are not measured, and refused.',
  'sort.by': 'Always `price`.',
  'sort.partition': 'Always `model`: the deployments of each model are sorted.',
  max_price: 'The highest prices, in US dollars. A deployment without a known price is not used.',
  'max_price.prompt': 'For a million tokens of input.',
  'max_price.completion': 'For a million tokens of output.',
  'max_price.request': 'For the request itself.',
  enforce_distillable_text: 'Only `false` is supported.',
};

const deployments: Fields = {
  provider:
    "Which of a model's deployments may serve the request, as OpenRouter has it. What cannot be honoured is a 400 that names the field.",
  ...below('provider', provider),
};

const { 'provider.require_parameters': _, ...deploymentFields } = deployments;

/** Embeddings and images have them. */
export { deploymentFields };

/** Messages have them. */
export const modelRouting: Fields = {
  models: 'Models to try after `model`, in this order. Another form of `extra.fallbacks`.',
  ...deployments,
  route: 'Always `fallback`.',
};

/** Chat completions and Responses have them. */
export const routingFields: Fields = {
  ...modelRouting,
  plugins:
    "OpenRouter's plugins: `web` lets the model search the web, `context-compression` leaves out the middle of a conversation that is too long.",
  'plugins[].id': 'The plugin.',
  'plugins[].enabled': '`false`: as if it were not in the list.',
  'plugins[].engine': 'Of `web`: always `native`, the search of the model.',
  'plugins[].include_domains': 'Of `web`: only these domains are searched.',
};

/** Chat completions alone have them. */
export const chatRoutingFields: Fields = {
  ...routingFields,
  transforms: '`["middle-out"]`: as the plugin `context-compression`.',
  ...usageOfChunks,
};
