/** Reads the tools that a request offers the model, and the choice among them. */
import type { GenerationRequest, Tool, ToolChoice, WebSearchTool } from '../../../core/generation/request.ts';
import { source } from '../../../core/generation/source.ts';
import { given, indexOfDuplicate, invalid, readFunction } from '../../read-request.ts';
import type { ResponsesBody } from './schema.ts';
import { functionSource, searchSource } from './sources.ts';
import type { ToolBody, ToolChoiceBody } from './tool-schema.ts';

type Offered = Pick<GenerationRequest, 'tools' | 'webSearch'> & { readonly choice?: ToolChoice };

export function readTools({ tools, tool_choice: choice }: ResponsesBody): Offered {
  const bodies = tools ?? [];
  checkTools(bodies);
  const functions = bodies.flatMap((tool, position): Tool[] => {
    if (!isFunction(tool)) return [];
    return [{ ...readFunction(functionOf(tool)), [source]: functionSource('function' in tool, position) }];
  });
  const [webSearch] = bodies.flatMap((tool, position) =>
    isFunction(tool) ? [] : [readWebSearch(tool, position)],
  );
  const offered = { tools: functions, ...(webSearch && { webSearch }) };
  return choice == null ? offered : choose(offered, choice);
}

export type FunctionToolBody = Extract<ToolBody, { type: 'function' }>;
type WebSearchBody = Exclude<ToolBody, FunctionToolBody>;

export function isFunction(tool: ToolBody): tool is FunctionToolBody {
  return tool.type === 'function';
}

/** The function, in whichever of its two forms. */
export function functionOf(tool: FunctionToolBody) {
  return 'function' in tool ? tool.function : tool;
}

function checkTools(tools: readonly ToolBody[]): void {
  const twice = indexOfDuplicate(tools.map((tool) => (isFunction(tool) ? functionOf(tool).name : undefined)));
  if (twice !== undefined) {
    const nested = 'function' in (tools[twice] ?? {}) ? 'function.' : '';
    throw invalid(`tools.${twice}.${nested}name`, 'must be unique: an earlier tool has the same name');
  }
  const [, second] = tools.flatMap((tool, position) => (isFunction(tool) ? [] : [position]));
  if (second !== undefined)
    throw invalid(`tools.${second}.type`, 'is a second web search tool: only one is allowed');
}

function readWebSearch(tool: WebSearchBody, position: number): WebSearchTool {
  const location = given(tool.user_location ?? {}, ['city', 'country', 'region', 'timezone']);
  const allowedDomains = tool.filters?.allowed_domains;
  return {
    position,
    type: tool.type,
    ...(tool.search_context_size && { contextSize: tool.search_context_size }),
    ...(Object.keys(location).length > 0 && { userLocation: location }),
    ...(allowedDomains && { allowedDomains }),
    [source]: searchSource(position),
  };
}

type Tools = Pick<Offered, 'tools' | 'webSearch'>;
type AllowedTools = Extract<ToolChoiceBody, { mode: string }>;

function choose(offered: Tools, choice: ToolChoiceBody): Offered {
  if (typeof choice === 'string') {
    const none = offered.tools.length === 0 && !offered.webSearch;
    if (choice === 'required' && none) throw invalid('tool_choice', "requires 'tools'");
    return { ...offered, choice };
  }
  if ('mode' in choice) return allowOnly(offered, choice);
  checkOffered(offered, choice, 'tool_choice');
  const name = nameOf(choice);
  return { ...offered, choice: name === undefined ? 'web_search' : { name } };
}

/** The model is shown only what it may use, which every provider understands. */
function allowOnly({ tools, webSearch }: Tools, { mode, tools: allowed }: AllowedTools): Offered {
  for (const [index, tool] of allowed.entries()) {
    checkOffered({ tools, ...(webSearch && { webSearch }) }, tool, `tool_choice.tools.${index}`);
  }
  const names = new Set(allowed.map(nameOf));
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    ...(webSearch && names.has(undefined) && { webSearch }),
    choice: mode,
  };
}

type Named = AllowedTools['tools'][number];

function checkOffered({ tools, webSearch }: Tools, named: Named, path: string): void {
  const name = nameOf(named);
  if (name === undefined) {
    if (!webSearch) throw invalid(`${path}.type`, "must be the type of one of the 'tools'");
  } else if (!tools.some((tool) => tool.name === name)) {
    const field = 'function' in named ? 'function.name' : 'name';
    throw invalid(`${path}.${field}`, "must be the name of one of the 'tools'");
  }
}

/** Undefined for the search of the web. */
export function nameOf(named: Named): string | undefined {
  if ('function' in named) return named.function.name;
  return 'name' in named ? named.name : undefined;
}
