/** What the Responses protocol refuses in tools and the choice among them. Functions are written flat here. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { checkStrictSchema } from '../openai/check.ts';
import { refuse, refuseMissing, refuseUnknown, refuseValue } from '../openai/refuse.ts';

const webSearch = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/;

const callableKeys = ['type', 'name', 'description', 'defer_loading', 'allowed_callers'];
const functionKeys = new Set([...callableKeys, 'parameters', 'strict', 'output_schema']);
const customKeys = new Set([...callableKeys, 'format']);
const namespaceKeys = new Set(['type', 'name', 'description', 'tools']);

/** Tools that the platform runs, or that its models know. Source: the public schema, `Tool`. */
const hosted = [
  ...[
    'apply_patch',
    'code_interpreter',
    'computer',
    'computer_use_preview',
    'file_search',
    'image_generation',
  ],
  ...['local_shell', 'mcp', 'shell', 'tool_search'],
];
const known = ['function', 'custom', 'namespace', 'web_search', 'web_search_preview', ...hosted];
const previewKeys = new Set(['type', 'search_context_size', 'user_location', 'search_content_types']);
const searchKeys = new Set([
  'type',
  'search_context_size',
  'user_location',
  'filters',
  'external_web_access',
  // Sent by Codex 0.169.0.
  'search_content_types',
]);
const locationKeys = new Set(['type', 'city', 'country', 'region', 'timezone']);

const withoutSearch = /^(gpt-4\.1-nano|gpt-3|gpt-4-turbo|gpt-4$|o1|o3-mini)/;

export function isWebSearch({ type }: JsonObject): boolean {
  return webSearch.test(textOf(type));
}

export function checkTools(body: JsonObject): void {
  const tools = objectsOf(body.tools);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`);
  checkChoice(body.tool_choice, tools);
  const search = tools.find(isWebSearch);
  if (search) checkSearches(textOf(search.type), body);
}

function checkTool(tool: JsonObject, path: string): void {
  if (isWebSearch(tool)) {
    checkWebSearch(tool, path);
    return;
  }
  const type = textOf(tool.type);
  if (!known.includes(type)) refuseValue(tool.type, `${path}.type`, known);
  if (hosted.includes(type)) return;
  checkName(tool, path);
  if (type === 'namespace') checkNamespace(tool, path);
  else if (type === 'custom') checkToolKeys(tool, customKeys, path);
  else checkFunction(tool, path);
}

function checkToolKeys(tool: JsonObject, keys: ReadonlySet<string>, path: string): void {
  checkKeys(tool, keys, (unknown) => refuseUnknown(`${path}.${unknown}`));
}

function checkName(tool: JsonObject, path: string): void {
  if (!('name' in tool)) refuseMissing(`${path}.name`);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(tool.name))) {
    const message = `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    refuse(message, `${path}.name`, 'invalid_value');
  }
}

/** Source: the public schema, `NamespaceToolParam`: functions and custom tools alone. */
function checkNamespace(tool: JsonObject, path: string): void {
  checkToolKeys(tool, namespaceKeys, path);
  if (typeof tool.description !== 'string') refuseMissing(`${path}.description`);
  const tools = objectsOf(tool.tools);
  if (tools.length === 0) refuseMissing(`${path}.tools`);
  for (const [index, one] of tools.entries()) {
    const inner = `${path}.tools[${index}]`;
    if (one.type !== 'function' && one.type !== 'custom') {
      refuseValue(one.type, `${inner}.type`, ['function', 'custom']);
    }
    checkTool(one, inner);
  }
}

function checkFunction(tool: JsonObject, path: string): void {
  checkToolKeys(tool, functionKeys, path);
  const { parameters } = tool;
  if (isObject(parameters) && parameters.type !== 'object') {
    const message = `Invalid schema for function '${tool.name}': schema must be a JSON Schema of 'type: "object"'.`;
    refuse(message, `${path}.parameters`, 'invalid_function_parameters');
  }
  if (tool.strict === true) checkStrictSchema(objectOf(parameters), `${path}.parameters`);
}

function checkWebSearch(tool: JsonObject, path: string): void {
  checkKeys(tool, /preview/.test(textOf(tool.type)) ? previewKeys : searchKeys, (unknown) =>
    refuseUnknown(`${path}.${unknown}`),
  );
  const size = tool.search_context_size ?? 'medium';
  if (!/^(low|medium|high)$/.test(textOf(size))) {
    refuseValue(size, `${path}.search_context_size`, ['low', 'medium', 'high']);
  }
  if (!isObject(tool.user_location)) return;
  checkKeys(tool.user_location, locationKeys, (odd) => refuseUnknown(`${path}.user_location.${odd}`));
  if (tool.user_location.type !== 'approximate') refuseMissing(`${path}.user_location.type`);
}

function checkSearches(type: string, body: JsonObject): void {
  const model = textOf(body.model);
  if (withoutSearch.test(model)) refuse(`Hosted tool '${type}' is not supported with ${model}.`, 'tools');
  if (objectOf(body.reasoning).effort === 'minimal') {
    refuse(`The following tools cannot be used with reasoning.effort 'minimal': ${type}.`, 'tools');
  }
}

function checkChoice(choice: unknown, tools: readonly JsonObject[]): void {
  if (choice === undefined || choice === null) return;
  if (typeof choice === 'string') {
    if (!/^(none|auto|required)$/.test(choice))
      refuseValue(choice, 'tool_choice', ['none', 'auto', 'required']);
    if (choice === 'required' && tools.length === 0) refuseWithoutTools(choice);
    return;
  }
  const { type, name } = objectOf(choice);
  if (isWebSearch({ type })) {
    if (!tools.some(isWebSearch)) refuseNotAmong(textOf(type));
    return;
  }
  if (hosted.includes(textOf(type))) {
    if (!tools.some((tool) => tool.type === type)) refuseNotAmong(textOf(type));
    return;
  }
  if (type !== 'function' && type !== 'custom') refuseValue(type, 'tool_choice.type', known);
  if (name === undefined) refuseMissing('tool_choice.name');
  if (!tools.some((tool) => tool.name === name && tool.type === type)) refuseNotAmong(textOf(name));
}

function refuseWithoutTools(choice: string): never {
  refuse(`Tool choice '${choice}' must be specified with 'tools' parameter.`, 'tool_choice');
}

function refuseNotAmong(name: string): never {
  refuse(`Tool choice '${name}' not found in 'tools' parameter.`, 'tool_choice');
}
