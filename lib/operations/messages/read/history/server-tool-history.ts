/**
 * Calls of tools that Anthropic ran in earlier turns, and their results, as texts: another provider cannot run them, and refuses a call
 * of a tool that it does not know. What is encrypted is left out.
 */
import { isJsonObject, objectsIn } from '../../../../core/formats/json-object.ts';
import { checkStoredFiles } from './stored-references.ts';

/** What a block may have. */
interface ServerBlock {
  readonly type: string;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly content?: unknown;
}

/**
 * Undefined for a block that is neither a call nor a result.
 *
 * @throws GatewayError `invalid_request` for a file that is stored at Anthropic.
 */
export function textOfServerTool(block: ServerBlock, path: string): string | undefined {
  const { type, name, input, content } = block;
  if (!isServerTool(type)) return undefined;
  checkStoredFiles(block, path);
  if (type === 'server_tool_use' || type === 'mcp_tool_use') {
    return `[Call of the tool ${name}: ${JSON.stringify(input ?? {})}]`;
  }
  return `[Result of the tool ${type.slice(0, -'_tool_result'.length)}:\n${linesOf(content).join('\n')}]`;
}

const isServerTool = (type: string): boolean =>
  type === 'server_tool_use' || type === 'mcp_tool_use' || type.endsWith('_tool_result');

/** The fields of results that are readable. Source: the `*ToolResultBlockParam` types of `@anthropic-ai/sdk` 1.12.0. */
const readable = ['error_code', 'title', 'url', 'text', 'tool_name', 'stdout', 'stderr', 'data', 'content'];

/** A result within a result: the page that was fetched, or the tools that were found. */
const nested = ['content', 'source', 'tool_references'];

function linesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return objectsIn(value).flatMap(linesOf);
  if (!isJsonObject(value) || value.type === 'base64') return [];
  const own = readable.flatMap((name) => {
    const text = value[name];
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
  const inner = nested.flatMap((name) => {
    const below = value[name];
    return typeof below === 'object' && below !== null ? linesOf(below) : [];
  });
  return [...own, ...inner];
}
