/** The parts of a request to generate that may make a provider keep something. */
import { asObject, objectsIn } from '../../core/formats/json-object.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { toolsIn } from '../../core/generation/tools/hosted-calls.ts';
import { plainName } from '../../core/names/plain-name.ts';
import type { KeptFeature } from '../../routing/data-rule.ts';

/** They run at the caller, or only add to what the model reads. */
const atCaller =
  /^(?:additional_tools|apply_patch|bash|browser|compaction|computer|computer_use_preview|custom|function|local_shell|memory|namespace|text_editor|tool_search(?:_tool(?:_bm25|_regex)?)?)$/;

/** Anthropic's types end with a day: `web_search_20250305`. */
const kindOf = (type: unknown): string => `${type}`.replace(/_\d{8}$/, '');

export function keptFeatures(request: GenerationRequest): readonly KeptFeature[] {
  const { webSearch, hostedTools, parameters, parameterPaths = {}, original } = request;
  const searches = webSearch && webSearch.externalAccess !== false;
  const pathsOf = (tool: object) => hostedTools?.find((one) => one.tool === tool);
  const tools = toolsIn(request).map((tool) => {
    const hosted = pathsOf(tool);
    return { feature: kindOf(tool.type), param: hosted ? pathOf(hosted) : 'input' };
  });
  const sent = objectsIn(original?.body.tools).map(({ type }, index) => ({
    feature: kindOf(type ?? 'custom'),
    param: `tools.${index}`,
  }));
  return [
    ...(searches ? [{ feature: 'web_search', param: pathOf(webSearch) }] : []),
    ...[...tools, ...sent].filter(({ feature }) => !atCaller.test(feature)),
    ...(original?.cost?.tools ?? []).map((feature) => ({ feature, param: 'tools' })),
    ...(objectsIn(original?.body.mcp_servers).length > 0 ? [{ feature: 'mcp', param: 'mcp_servers' }] : []),
    ...(parameters.store === true ? [{ feature: 'store', param: parameterPaths.store ?? 'store' }] : []),
    ...(objectsIn(asObject(original?.body.container).skills).length > 0
      ? [{ feature: 'skills', param: 'container' }]
      : []),
    ...extendedCaches(request),
  ];
}

/** The fields that keep a prompt for longer than a cache in memory does. */
const cacheFields: readonly (readonly [path: string, isLong: (value: unknown) => boolean])[] = [
  ['prompt_cache_retention', (value) => value !== 'in_memory'],
  ['prompt_cache_options', (value) => (asObject(value).ttl ?? shortest) !== shortest],
];

/** What OpenAI's SDK has alone; in memory. */
const shortest = '30m';

function extendedCaches({ parameters, nativeFields = {} }: GenerationRequest): readonly KeptFeature[] {
  const given = (fields: object, root = '') =>
    Object.entries(fields).flatMap(([name, value]) => {
      const isLong = cacheFields.find(([field]) => plainName(field) === plainName(name))?.[1];
      return value != null && isLong?.(value) ? [{ feature: 'extended_cache', param: `${root}${name}` }] : [];
    });
  return [...given(parameters), ...given(nativeFields, 'native_fields.')];
}
