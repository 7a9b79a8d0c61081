/**
 * What the Anthropic protocol refuses in `tools` and `tool_choice`. Sources: the tool types in @anthropic-ai/sdk 1.12.0;
 * platform.claude.com, "Tool search tool", "Define tools".
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { isWebSearch } from './read.ts';
import { refuse } from './refuse.ts';

const refusesForcedTools = /^claude-(opus-5-5|sonnet-5-5|fable-5-[12])/;

const customFields = wordSet(
  'name description input_schema type strict cache_control defer_loading eager_input_streaming',
  'allowed_callers input_examples',
);

/** Tools with a date in their type: Anthropic knows their schemas. */
const versioned =
  /^(bash|text_editor|memory|computer|computer_toolset|browser_toolset|web_search|web_fetch|code_execution|advisor|mcp_toolset|tool_search_tool_(bm25|regex))(_\d{8})?$/;

export function checkTools(body: JsonObject, model: string): void {
  const tools = objectsOf(body.tools);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools.${index}`);
  const names = tools.map(({ name }) => textOf(name)).filter((name) => name !== '');
  if (new Set(names).size < names.length) refuse('tools: Tool names must be unique.');
  if (tools.length > 0 && tools.every(({ defer_loading }) => defer_loading === true)) {
    refuse('At least one tool must have defer_loading=false. All tools cannot be deferred.');
  }
  if (body.tool_choice !== undefined) checkChoice(objectOf(body.tool_choice), body, model);
}

function checkTool(tool: JsonObject, path: string): void {
  const type = textOf(tool.type);
  if (isWebSearch(tool)) {
    checkWebSearch(tool, `${path}.${type}`);
    return;
  }
  if (versioned.test(type)) return;
  if (tool.type !== undefined && tool.type !== null && type !== 'custom') {
    refuse(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  }
  checkKeys(tool, customFields, (unknown) =>
    refuse(`${path}.custom.${unknown}: Extra inputs are not permitted`),
  );
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(tool.name))) {
    refuse(`${path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (objectOf(tool.input_schema).type !== 'object') {
    refuse(`${path}.custom.input_schema.type: Field required`);
  }
}

function checkChoice(choice: JsonObject, body: JsonObject, model: string): void {
  const tools = objectsOf(body.tools);
  if (tools.length === 0) refuse('tool_choice: may only be specified while providing `tools`');
  const type = textOf(choice.type);
  if (!['auto', 'any', 'tool', 'none'].includes(type)) {
    refuse(`tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  }
  if (type === 'none' && 'disable_parallel_tool_use' in choice) {
    refuse('tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted');
  }
  if (type === 'tool' && !tools.some(({ name }) => name === choice.name)) {
    refuse(`Tool '${textOf(choice.name)}' not found in provided tools`);
  }
  const forced = type === 'any' || type === 'tool';
  if (forced && refusesForcedTools.test(model))
    refuse(`tool_choice: '${type}' is not supported by this model`);
  if (forced && objectOf(body.thinking).type === 'enabled') {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

const knownOfWebSearch = wordSet(
  'type name max_uses allowed_domains blocked_domains user_location cache_control',
  'allowed_callers defer_loading strict',
);

function checkWebSearch(tool: JsonObject, path: string): void {
  checkKeys(tool, knownOfWebSearch, (unknown) =>
    refuse(`${path}.${unknown}: Extra inputs are not permitted`),
  );
  if (tool.name !== 'web_search') refuse(`${path}.name: Input should be 'web_search'`);
  // Null is as if absent: pydantic-ai sends all of these so (recorded in its test_anthropic_web_search_tool).
  if (tool.allowed_domains != null && tool.blocked_domains != null) {
    refuse(`${path}: only one of \`allowed_domains\` and \`blocked_domains\` can be specified`);
  }
  const { user_location: location } = tool;
  if (location != null && objectOf(location).type !== 'approximate') {
    refuse(`${path}.user_location.type: Input should be 'approximate'`);
  }
}
