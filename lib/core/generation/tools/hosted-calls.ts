/** The provider's own tools: which of them cost more than their tokens, and how often an answer used them. */
import { isJsonObject, objectsIn } from '../../formats/json-object.ts';
import type { GenerationRequest, JsonObject } from '../request.ts';
import { addCalls, type ToolCounts } from './tool-counts.ts';

/**
 * Tools, and the items of their calls, that the provider charges for beside their tokens. Others run at the caller's, or only
 * read and write tokens. A type that is not listed counts as charged for: an unknown cost is never 0.
 */
const tokensOnly =
  /^(?:apply_patch|compaction|computer|computer_use_preview|custom|function|local_shell|mcp|namespace|tool_search|additional_tools)(?:_|$)/;

export const costsMore = (type: unknown): boolean => !tokensOnly.test(`${type}`);

/** The model reads as much of a server's answers as it asks for, in one request: its tokens have a price, and no bound. */
export const isEndless = (type: unknown): boolean => type === 'mcp';

/** The provider's tools, and those that items add to the conversation: the provider offers them alike. */
export function toolsIn({ messages, hostedTools = [] }: GenerationRequest): readonly JsonObject[] {
  const items = messages.flatMap((message) => (message.role === 'assistant' ? (message.items ?? []) : []));
  const adding = items.filter(({ tools }) => tools !== undefined);
  return [...hostedTools.map(({ tool }) => tool), ...adding.flatMap(({ item }) => objectsIn(item.tools))];
}

/** Counts the items of calls, by the tool's name. `tools`: those of the provider that the request offers. */
export function countCalls(tools: readonly JsonObject[]) {
  const counts: Record<string, number> = {};
  const containers = new Set<unknown>();
  const suffix = memoryOf(tools);
  return {
    add({ type, container_id: container }: JsonObject) {
      if (!costsMore(type)) return;
      const name = `${type}`.replace(/_call$/, '');
      if (name !== 'code_interpreter') addCalls(counts, name);
      // OpenAI charges for the container, by its memory, and not for what runs in it. Source: its guide "Code Interpreter".
      else if (typeof container !== 'string' || !containers.has(container)) {
        containers.add(container);
        addCalls(counts, `${name}${suffix}`);
      }
    },
    counts: () => ({ ...counts }),
  };
}

/** The calls of these tools, if there are so many of each. */
export function maxCallsOf(tools: readonly JsonObject[], most: number): ToolCounts {
  const counts: Record<string, number> = {};
  const suffix = memoryOf(tools);
  for (const { type } of tools) {
    if (costsMore(type)) addCalls(counts, type === 'code_interpreter' ? `${type}${suffix}` : `${type}`, most);
  }
  return counts;
}

/** A container of another size than the smallest has a price of its own. */
function memoryOf(tools: readonly JsonObject[]): string {
  const container = tools.find(({ type }) => type === 'code_interpreter')?.container;
  const memory = isJsonObject(container) ? container.memory_limit : undefined;
  return memory === undefined || memory === null || memory === '1g' ? '' : `_${memory}`;
}
