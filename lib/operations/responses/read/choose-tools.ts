/** Reads which of its tools a request wants the model to use. */

import { invalid } from '../../../core/errors/invalid.ts';
import type { GenerationRequest, HostedTool, Tool, ToolChoice } from '../../../core/generation/request.ts';
import { given } from '../../read-request.ts';
import type { ToolChoiceBody } from './tool-schema.ts';

export type Offered = Pick<GenerationRequest, 'tools' | 'webSearch' | 'hostedTools'>;

export type Chosen = Offered & { readonly choice?: ToolChoice };

type AllowedTools = Extract<ToolChoiceBody, { mode: string; tools: readonly unknown[] }>;
type Named = AllowedTools['tools'][number];

/** @throws GatewayError `invalid_request` for a tool that is not offered. */
export function chooseTools(offered: Offered, choice: ToolChoiceBody): Chosen {
  if (typeof choice === 'string') {
    const none = offered.tools.length === 0 && !offered.webSearch && !offered.hostedTools;
    if (choice === 'required' && none) throw invalid('tool_choice', "requires 'tools'");
    return { ...offered, choice };
  }
  if (isAllowed(choice)) return allowOnly(offered, choice);
  const own = ownTools(offered.tools);
  checkOffered(offered, own, choice, 'tool_choice');
  const tool = own.get(keyOf(choice.type, nameOf(choice)));
  if (tool) return { ...offered, choice: { name: tool.name, ...given(tool, ['kind', 'namespace']) } };
  if (choice.type.startsWith('web_search')) return { ...offered, choice: 'web_search' };
  const hostedTools = offered.hostedTools?.map((tool) =>
    isNamed(tool, choice) ? { ...tool, choice: { ...choice } } : tool,
  );
  return { ...offered, ...(hostedTools && { hostedTools }) };
}

export function isAllowed(choice: Exclude<ToolChoiceBody, string>): choice is AllowedTools {
  return choice.type === 'allowed_tools';
}

/** The model is shown only what it may use, which every provider understands. */
function allowOnly(offered: Offered, { mode, tools: allowed }: AllowedTools): Chosen {
  const { tools, webSearch, hostedTools } = offered;
  const own = ownTools(tools);
  for (const [index, tool] of allowed.entries()) {
    checkOffered(offered, own, tool, `tool_choice.tools.${index}`);
  }
  const names = new Set(allowed.map(nameOf));
  const hosted = hostedTools?.filter((tool) => allowed.some((named) => isNamed(tool, named)));
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    ...(webSearch && allowed.some(({ type }) => type.startsWith('web_search')) && { webSearch }),
    ...(hosted && hosted.length > 0 && { hostedTools: hosted }),
    choice: mode,
  };
}

function checkOffered(
  { webSearch, hostedTools = [] }: Offered,
  own: ReadonlyMap<string, Tool>,
  named: Named,
  path: string,
): void {
  const name = nameOf(named);
  if (name !== undefined) {
    if (own.has(keyOf(named.type, name))) return;
    throw invalid(
      `${path}.${'function' in named ? 'function.name' : 'name'}`,
      "must be the name of one of the 'tools'",
    );
  }
  const isOffered = named.type.startsWith('web_search')
    ? webSearch !== undefined
    : hostedTools.some((tool) => isNamed(tool, named));
  if (!isOffered) throw invalid(`${path}.type`, "must be the type of one of the 'tools'");
}

/** The caller's tools by what a choice says of one: of several, the first without a namespace, else the first. */
function ownTools(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const own = new Map<string, Tool>();
  for (const tool of tools) {
    const key = keyOf(tool.kind ?? 'function', tool.name);
    const known = own.get(key);
    if (!known || (known.namespace !== undefined && tool.namespace === undefined)) own.set(key, tool);
  }
  return own;
}

const keyOf = (type: string, name: string | undefined) => `${type} ${name}`;

/** Of several MCP servers, a choice names one. */
function isNamed({ tool }: HostedTool, named: Named): boolean {
  if (tool.type !== named.type) return false;
  return !('server_label' in named) || named.server_label === tool.server_label;
}

/** Undefined for tools of the provider. */
export function nameOf(named: Named): string | undefined {
  if (named.type !== 'function' && named.type !== 'custom') return undefined;
  return 'function' in named ? named.function.name : named.name;
}
