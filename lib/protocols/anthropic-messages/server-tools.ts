/** The tools that Anthropic runs itself, besides the web search. */
import { addCalls } from '../../core/generation/tools/tool-counts.ts';

/** Searches are counted apart; looking up tools costs its tokens alone. */
export const notHosted: ReadonlySet<string> = new Set(['web_search', 'tool_search']);

/** The names of one tool in its calls. Source: "Code execution tool" and "Tool search tool" of the Claude API's documentation. */
const families: Readonly<Record<string, string>> = {
  bash_code_execution: 'code_execution',
  text_editor_code_execution: 'code_execution',
  tool_search_tool_regex: 'tool_search',
  tool_search_tool_bm25: 'tool_search',
};

/** Counts a call that costs more than its tokens. */
export function countServerTool(counts: Record<string, number>, name: string): void {
  const tool = Object.hasOwn(families, name) ? families[name] : name;
  if (tool && !notHosted.has(tool)) addCalls(counts, tool);
}
