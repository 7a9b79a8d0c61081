/** Reads the tools that a request offers the model. */

import { invalid } from '../../../core/errors/invalid.ts';
import { source } from '../../../core/generation/original/source.ts';
import type { HostedTool, Tool, WebSearchTool } from '../../../core/generation/request.ts';
import { type Change, stripped } from '../../../normalization/rule.ts';
import { given, readFunction } from '../../read-request.ts';
import { type Chosen, chooseTools, type Offered } from './choose-tools.ts';
import type { ResponsesBody } from './schema.ts';
import { functionSource, hostedSource, searchSource } from './sources.ts';
import type { ToolBody } from './tool-schema.ts';

export function readTools({ tools, tool_choice: choice }: ResponsesBody): Chosen {
  const bodies = tools ?? [];
  const functions = bodies.flatMap((tool, position) => readTool(tool, `tools.${position}`));
  checkNames(functions);
  const offered = { tools: functions, ...readSearch(bodies), ...readHosted(bodies) };
  return choice == null ? offered : chooseTools(offered, choice);
}

type CallableBody = Extract<ToolBody, { type: 'function' | 'custom' }>;
type WebSearchBody = Extract<ToolBody, { type: `web_search${string}` }>;

/** The tools that an item adds to a conversation. `path`: that of the list. */
export function readAddedTools(bodies: readonly ToolBody[], path: string): readonly Tool[] {
  return bodies.flatMap((tool, position) => readTool(tool, `${path}.${position}`));
}

/** A function or a custom tool; all of a namespace. Nothing for tools of the provider. */
function readTool(tool: ToolBody, path: string): readonly Tool[] {
  if (tool.type === 'function' || tool.type === 'custom') return [readCallable(tool, path)];
  if (tool.type !== 'namespace') return [];
  const { name: namespace, description, tools } = tool;
  return tools.map((one, position) => {
    const read = readCallable(one, `${path}.tools.${position}`, path);
    return { ...read, namespace, ...(description && { namespaceDescription: description }) };
  });
}

function readCallable(body: CallableBody, path: string, namespace?: string): Tool {
  const from = { [source]: functionSource('function' in body, path, namespace) };
  if ('function' in body) return { ...readFunction(body.function), ...from };
  const callers = directCallers(body.allowed_callers);
  const extras = {
    ...given(body, ['defer_loading']),
    ...(callers && { allowed_callers: callers }),
    ...(body.type === 'function' && given(body, ['output_schema'])),
  };
  const more = { ...(Object.keys(extras).length > 0 && { extras }), ...from };
  if (body.type === 'function') return { ...readFunction(body), ...more };
  return { kind: 'custom', name: body.name, ...given(body, ['description', 'format']), ...more };
}

function checkNames(tools: readonly Tool[]): void {
  const seen = new Set<string>();
  for (const tool of tools) {
    const key = JSON.stringify([tool.namespace, tool.name]);
    if (seen.has(key)) {
      const { path = '', fields } = tool[source] ?? {};
      throw invalid(`${path}.${fields?.name ?? 'name'}`, 'must be unique: an earlier tool has the same name');
    }
    seen.add(key);
  }
}

function readSearch(bodies: readonly ToolBody[]): Pick<Offered, 'webSearch'> {
  const [first, second] = bodies.flatMap((tool, position) => (isSearch(tool) ? [{ tool, position }] : []));
  if (second)
    throw invalid(`tools.${second.position}.type`, 'is a second web search tool: only one is allowed');
  return first ? { webSearch: readWebSearch(first.tool, first.position) } : {};
}

export const isSearch = (tool: ToolBody): tool is WebSearchBody => tool.type.startsWith('web_search');

function readWebSearch(tool: WebSearchBody, position: number): WebSearchTool {
  const location = given(tool.user_location ?? {}, ['city', 'country', 'region', 'timezone']);
  const allowedDomains = tool.filters?.allowed_domains;
  return {
    position,
    type: tool.type,
    ...(tool.search_context_size && { contextSize: tool.search_context_size }),
    ...(Object.keys(location).length > 0 && { userLocation: location }),
    ...(allowedDomains && { allowedDomains }),
    ...(tool.external_web_access === false && { externalAccess: false }),
    ...(tool.search_content_types && { contentTypes: tool.search_content_types }),
    [source]: searchSource(position),
  };
}

function readHosted(bodies: readonly ToolBody[]): Pick<Offered, 'hostedTools'> {
  const hostedTools = bodies.flatMap((tool, position): HostedTool[] => {
    const isCallable = tool.type === 'function' || tool.type === 'custom' || tool.type === 'namespace';
    return isCallable || isSearch(tool) || tool.type === programTool
      ? []
      : [{ position, tool: { ...tool }, [source]: hostedSource(position) }];
  });
  return hostedTools.length > 0 ? { hostedTools } : {};
}

const programTool = 'programmatic_tool_calling';
const caller = 'programmatic';

/** Who may call a tool, without programs; undefined: as every tool may be called. */
function directCallers(callers: readonly string[] | null | undefined): readonly string[] | undefined {
  const direct = callers?.filter((one) => one !== caller);
  return direct?.length ? direct : undefined;
}

export function leftOutPrograms(tools: readonly ToolBody[], path = 'tools'): readonly Change[] {
  return tools.flatMap((tool, position) => {
    const own = `${path}.${position}`;
    if (tool.type === programTool) return [leftOut(own, { type: tool.type })];
    if (tool.type === 'namespace') return leftOutPrograms(tool.tools, `${own}.tools`);
    const isOfPrograms = 'allowed_callers' in tool && tool.allowed_callers?.includes(caller);
    return isOfPrograms ? [leftOut(`${own}.allowed_callers`, caller)] : [];
  });
}

const leftOut = (param: string, before: unknown): Change =>
  stripped(
    param,
    before,
    'The gateway does not run programs that call tools. The model calls its tools directly.',
  );
