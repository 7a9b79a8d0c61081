/** `web_search_options`: the model may search the web by its provider's own search. */
import * as z from 'zod/mini';
import { invalid } from '../../../core/errors/invalid.ts';
import { type Source, source } from '../../../core/generation/original/source.ts';
import type { WebSearchTool } from '../../../core/generation/request.ts';
import { given } from '../../read-request.ts';
import { locationFields, nullish } from '../../request-schema.ts';

export const searchOptions = nullish(
  z.strictObject({
    search_context_size: nullish(z.enum(['low', 'medium', 'high'])),
    user_location: nullish(
      z.strictObject({ type: z.literal('approximate'), approximate: z.strictObject(locationFields) }),
    ),
  }),
);

interface SearchBody {
  readonly web_search_options?: z.infer<typeof searchOptions>;
  readonly tools?: readonly unknown[] | null | undefined;
}

/** `plugin`: the same search, asked for by a plugin. Throws GatewayError `invalid_request` for both. */
export function readSearch(body: SearchBody, plugin: WebSearchTool | undefined): WebSearchTool | undefined {
  const { web_search_options: options, tools } = body;
  if (!options) return plugin;
  if (plugin) throw invalid('web_search_options', "cannot be used together with the plugin 'web'");
  const location = given(options.user_location?.approximate ?? {}, ['city', 'country', 'region', 'timezone']);
  return {
    position: tools?.length ?? 0,
    type: 'web_search',
    ...(options.search_context_size && { contextSize: options.search_context_size }),
    ...(Object.keys(location).length > 0 && { userLocation: location }),
    [source]: optionsSource,
  };
}

const optionsSource: Source = {
  path: 'web_search_options',
  fields: { contextSize: 'search_context_size', userLocation: 'user_location' },
};
