/** Reads the functions that a chat request offers the model, and the choice among them. */
import type { Tool, ToolChoice } from '../../core/generation/request.ts';
import { source } from '../../core/generation/source.ts';
import { indexOfDuplicate, invalid, readFunction } from '../read-request.ts';
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
  const names = tools.map(({ name }) => name);
  const twice = indexOfDuplicate(names);
  if (twice !== undefined)
    throw invalid(`tools.${twice}.function.name`, 'must be unique: an earlier tool has the same name');
  return choice == null ? { tools } : choose(tools, choice);
}

function readTool({ function: tool, cache_control: marker }: ChatTool, position: number): Tool {
  return {
    ...readFunction(tool),
    ...(marker && { cacheControl: readCacheControl(marker) }),
    [source]: toolSource(position),
  };
}

function choose(tools: readonly Tool[], choice: ChatChoice): Offered {
  if (typeof choice === 'string') {
    if (choice === 'required' && tools.length === 0) throw invalid('tool_choice', "requires 'tools'");
    return { tools, choice };
  }
  if (choice.type === 'function') {
    const { name } = choice.function;
    checkOffered(tools, name, 'tool_choice');
    return { tools, choice: { name } };
  }
  const { mode, tools: allowed } = choice.allowed_tools;
  for (const [index, tool] of allowed.entries()) {
    checkOffered(tools, tool.function.name, `tool_choice.allowed_tools.tools.${index}`);
  }
  // The model is shown only what it may use, which every provider understands.
  const names = new Set(allowed.map((tool) => tool.function.name));
  return { tools: tools.filter(({ name }) => names.has(name)), choice: mode };
}

function checkOffered(tools: readonly Tool[], wanted: string, path: string): void {
  if (tools.some(({ name }) => name === wanted)) return;
  throw invalid(`${path}.function.name`, "must be the name of one of the 'tools'");
}
