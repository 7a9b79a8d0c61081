/**
 * The body of a Messages request: what the gateway reads, in types and bounds. It refuses no field and no block that it does not know,
 * since Anthropic adds new ones with every release. Source: MessageCreateParams of `@anthropic-ai/sdk` 1.12.0, with its betas.
 */
import * as z from 'zod/mini';
import { objectOf, strictObjectOf } from '../../../core/formats/given-fields.ts';
import {
  extraFields,
  jsonObject,
  longList,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  streamFields,
} from '../../request-schema.ts';
import { routingFields } from '../../routing/schema.ts';
import { blockSchema, textBlock } from './content/block-schema.ts';
import { anthropicOnlyAny, cacheControl, openVariants } from './history/open-variants.ts';
import { toolChoiceField, toolsField } from './tools/tool-schema.ts';

/** Of stop sequences: Anthropic documents no limit. */
const maxStopSequences = 1_000;

const message = objectOf({
  role: z.enum(['user', 'assistant', 'system']),
  // A system message may only change settings, and then has none.
  content: nullish(z.union([z.string(), z.lazy(() => longList(blockSchema()))])),
  output_config: anthropicOnlyAny,
  clear_at: anthropicOnlyAny,
});

const jsonFormat = () => z.object({ type: z.literal('json_schema'), schema: jsonObject });

const { models, provider, route } = routingFields;

export const messagesSchema = objectOf({
  model: modelId,
  max_tokens: z.int().check(z.gte(0)),
  messages: longList(message).check(z.minLength(1)),
  system: () => nullish(z.union([z.string(), longList(openVariants({ text: textBlock }))])),
  stream: nullishFlag,
  tools: toolsField,
  tool_choice: toolChoiceField,
  thinking: () =>
    nullish(
      z.object({ type: z.string(), budget_tokens: nullish(z.int().check(z.gte(0))), display: nullishText }),
    ),
  output_config: () => nullish(z.object({ effort: nullishText, format: nullish(jsonFormat()) })),
  output_format: () => nullish(jsonFormat()),
  stop_sequences: () => nullish(z.array(z.string()).check(z.maxLength(maxStopSequences))),
  temperature: () => nullish(z.number().check(z.gte(0), z.lte(1))),
  top_p: () => nullish(z.number().check(z.gte(0), z.lte(1))),
  top_k: () => nullish(z.int().check(z.gte(0))),
  metadata: () => nullish(z.object({ user_id: nullishText })),
  service_tier: nullishText,
  speed: nullishText,
  cache_control: cacheControl,
  inference_geo: nullishText,
  container: () => nullish(z.union([z.string(), jsonObject])),
  mcp_servers: () => nullish(z.array(jsonObject)),
  context_management: () => nullish(jsonObject),
  compaction: () => nullish(jsonObject),
  fallbacks: () => nullish(z.union([z.string(), z.array(z.looseObject({ model: modelId }))])),
  thread: () => nullish(jsonObject),
  diagnostics: anthropicOnlyAny,
  models,
  provider,
  route,
  extra: () => nullish(strictObjectOf({ ...extraFields, ...streamFields, normalize: nullishFlag })),
});

export type MessagesBody = z.infer<typeof messagesSchema>;
