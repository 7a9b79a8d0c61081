/** Reads the functions that a chat request offers the model, the choice among them, and the search of the web. */

import { invalid } from '../../../core/errors/invalid.ts';
import { type Source, source } from '../../../core/generation/original/source.ts';
import type { Tool, ToolChoice, WebSearchTool } from '../../../core/generation/request.ts';
import { given, indexOfDuplicate, readFunction } from '../../read-request.ts';
import { readCacheControl } from './read-parts.ts';
import type { ChatBody } from './schema.ts';
import { toolSource } from './sources.ts';

type ToolsBody = Pick<ChatBody, 'tools' | 'tool_choice'>;
type ChatTool = NonNullable<ChatBody['tools']>[number];
type ChatChoice = NonNullable<ChatBody['tool_choice']>;

interface Offered {
  readonly tools: readonly Tool[];
  readonly choice?: ToolChoice;
}

/** @throws GatewayError `invalid_request` for a name that occurs twice, or a choice of a tool that is not there. */
export function readTools({ tools: bodies, tool_choice: choice }: ToolsBody): Offered {
  const tools = (bodies ?? []).map(readTool);
  const twice = indexOfDuplicate(tools.map(({ name }) => name));
  if (twice !== undefined) {
    const path = `tools.${twice}.${bodies?.[twice]?.type}.name`;
    throw invalid(path, 'must be unique: an earlier tool has the same name');
  }
  return choice == null ? { tools } : choose(tools, choice);
}

function readTool(body: ChatTool, position: number): Tool {
  const marker = body.cache_control;
  return {
    ...(body.type === 'custom' ? readCustom(body.custom) : readFunction(body.function)),
    ...(marker && { cacheControl: readCacheControl(marker) }),
    [source]: toolSource(position, body.type),
  };
}

/** The chat protocol writes a grammar one level deeper than the Responses API. */
function readCustom({ name, format, ...others }: (ChatTool & { type: 'custom' })['custom']): Tool {
  const flat = format?.type === 'grammar' ? { type: format.type, ...format.grammar } : format;
  return { kind: 'custom', name, ...given(others, ['description']), ...(flat && { format: flat }) };
}

function choose(tools: readonly Tool[], choice: ChatChoice): Offered {
  if (typeof choice === 'string') {
    if (choice === 'required' && tools.length === 0) throw invalid('tool_choice', "requires 'tools'");
    return { tools, choice };
  }
  const offered = new Set(tools.map(identityOf));
  if (choice.type !== 'allowed_tools') return { tools, choice: named(offered, choice, 'tool_choice') };
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = new Set(
    allowed.map((tool, index) => named(offered, tool, `tool_choice.allowed_tools.tools.${index}`).name),
  );
  // The model is shown only what it may use, which every provider understands.
  return { tools: tools.filter(({ name }) => names.has(name)), choice: mode };
}

type Named = Exclude<ChatChoice, string | { type: 'allowed_tools' }>;
type NamedTool = Extract<ToolChoice, object>;

const identityOf = ({ kind, name }: Pick<Tool, 'kind' | 'name'>) => `${kind ?? 'function'} ${name}`;

function named(offered: ReadonlySet<string>, tool: Named, path: string): NamedTool {
  const choice: NamedTool =
    tool.type === 'custom' ? { kind: 'custom', name: tool.custom.name } : { name: tool.function.name };
  if (offered.has(identityOf(choice))) return choice;
  throw invalid(`${path}.${tool.type}.name`, "must be the name of one of the 'tools'");
}

interface SearchBody {
  readonly web_search_options?: ChatBody['web_search_options'];
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
