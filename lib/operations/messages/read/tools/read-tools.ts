/** Reads the tools that a request offers the model: the client's own, and those that Anthropic runs or its models know. */

import { invalid } from '../../../../core/errors/invalid.ts';
import { source } from '../../../../core/generation/original/source.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  Tool,
  ToolChoice,
  WebSearchTool,
} from '../../../../core/generation/request.ts';
import { given, indexOfDuplicate } from '../../../read-request.ts';
import { markerOf } from '../content/parts.ts';
import { searchSource, toolSource } from '../content/sources.ts';
import { leaveOut, type Notes, refuse } from '../notes.ts';
import type { MessagesBody } from '../schema.ts';
import { clientTool } from './client-tools.ts';
import { type CustomTool, isCustom, isSearch, type SearchTool, type ToolBody } from './tool-schema.ts';

interface Offered extends Pick<GenerationRequest, 'tools' | 'webSearch'> {
  /** The limit of searches, and where the caller wrote it. */
  readonly maxSearches?: { readonly count: number; readonly path: string };
}

/**
 * After the conversation, which may load tools and add some.
 *
 * @throws GatewayError `invalid_request` for a name that occurs twice, and a second search.
 */
export function readTools(bodies: readonly ToolBody[], notes: Notes): Offered {
  const twice = indexOfDuplicate(bodies.map(({ name }) => name ?? undefined));
  if (twice !== undefined) {
    throw invalid(`tools.${twice}.name`, 'must be unique: an earlier tool has the same name');
  }
  const tools: Tool[] = [];
  let search: Pick<Offered, 'webSearch' | 'maxSearches'> = {};
  const isFound = bodies.some(({ type }) => isToolSearch(type));
  for (const [index, body] of bodies.entries()) {
    const path = `tools.${index}`;
    if (isSearch(body)) {
      if (search.webSearch) throw invalid(`${path}.type`, 'is a second web search tool: only one is allowed');
      search = readSearch(body, index, notes);
    } else if (body.defer_loading && !isFound && !notes.loaded.has(body.name ?? '')) {
      leaveOut(notes, path, { defer_loading: true }, 'The conversation has not loaded this tool yet.');
    } else {
      tools.push(...readTool(body, path, notes));
    }
  }
  const known = new Set(tools.map(({ name }) => name));
  const added = notes.added.filter(({ body }) => !known.has(body.name ?? ''));
  return { tools: [...tools, ...added.flatMap(({ body, path }) => readTool(body, path, notes))], ...search };
}

const isToolSearch = (type: unknown) => /^tool_search_tool_/.test(`${type}`);

function readTool(body: ToolBody, path: string, notes: Notes): readonly Tool[] {
  const common = { ...given(body, ['strict']), ...markerOf(body), [source]: toolSource(path) };
  if (isCustom(body)) return [{ ...readCustom(body), ...common }];
  const type = `${body.type}`;
  // Where all tools are offered, there is none to look for.
  if (isToolSearch(type)) {
    leaveOut(
      notes,
      path,
      { type },
      'Only models of Anthropic have tool search: this model gets every tool at once.',
    );
    return [];
  }
  const known = clientTool(type);
  if (known) return [{ ...known, ...(body.name != null && { name: body.name }), ...common }];
  refuse(
    notes,
    `${path}.type`,
    `is the tool '${type.slice(0, maxType)}', which only Anthropic's models have`,
  );
  return [];
}

/** Of a type in an error, in characters. */
const maxType = 64;

function readCustom({ name, description, input_schema: parameters }: CustomTool): Tool {
  return { name, ...(description != null && { description }), parameters };
}

function readSearch(body: SearchTool, position: number, notes: Notes): Omit<Offered, 'tools'> {
  const path = `tools.${position}`;
  const { allowed_domains: allowedDomains, blocked_domains: blocked, max_uses: count } = body;
  if (blocked && blocked.length > 0) {
    refuse(notes, `${path}.blocked_domains`, 'is only supported by the search of Anthropic');
  }
  const place = body.user_location;
  const location = place ? given(place, ['city', 'country', 'region', 'timezone']) : {};
  const webSearch: WebSearchTool = {
    position,
    type: 'web_search',
    ...(Object.keys(location).length > 0 && { userLocation: location }),
    ...(allowedDomains && allowedDomains.length > 0 && { allowedDomains }),
    [source]: searchSource(path),
  };
  return { webSearch, ...(count != null && { maxSearches: { count, path: `${path}.max_uses` } }) };
}

type ChoiceBody = NonNullable<MessagesBody['tool_choice']>;
type Choice = Pick<GenerationParameters, 'tool_choice' | 'parallel_tool_calls'>;

/** `bodies`: all tools, with those that other targets do not get. Throws GatewayError `invalid_request` for a tool that is not there. */
export function readChoice(
  choice: ChoiceBody | null | undefined,
  bodies: readonly ToolBody[],
  offered: Offered,
  notes: Notes,
): Choice {
  if (!choice) return {};
  const read = readType(choice, bodies, offered, notes);
  const { disable_parallel_tool_use: isOne } = choice;
  // Anthropic's protocol has no such field beside `none`.
  const parallel = isOne != null && read !== 'none' ? { parallel_tool_calls: !isOne } : {};
  return { ...(read && { tool_choice: read }), ...parallel };
}

const types: Readonly<Record<string, ToolChoice>> = { auto: 'auto', any: 'required', none: 'none' };

function readType(
  { type, name }: ChoiceBody,
  bodies: readonly ToolBody[],
  { tools }: Offered,
  notes: Notes,
): ToolChoice | undefined {
  if (type === 'tool') return readNamed(name ?? undefined, bodies, tools, notes);
  if (!Object.hasOwn(types, type)) {
    refuse(notes, 'tool_choice.type', 'is only known to Anthropic');
    return undefined;
  }
  if (type === 'any' && bodies.length === 0) throw invalid('tool_choice', "requires 'tools'");
  return types[type];
}

function readNamed(
  name: string | undefined,
  bodies: readonly ToolBody[],
  tools: Offered['tools'],
  notes: Notes,
): ToolChoice | undefined {
  if (name === undefined) throw invalid('tool_choice.name', 'is required: the name of one of the tools');
  if (tools.some((tool) => tool.name === name)) return { name };
  const body = bodies.find((tool) => tool.name === name);
  if (!body) throw invalid('tool_choice.name', "must be the name of one of the 'tools'");
  if (isSearch(body)) return 'web_search';
  refuse(notes, 'tool_choice.name', "is a tool that only Anthropic's models have");
  return undefined;
}
