/**
 * What the Responses protocol refuses in `input`: parts in the wrong place, calls and outputs without each other, reasoning
 * that is not its own.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { refuse, refuseLongId, refuseMissing, refuseUnknown, refuseValue } from '../openai/refuse.ts';
import { decrypt, reasoningIdOf } from './ids.ts';

interface ItemRule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const items: Readonly<Record<string, ItemRule>> = {
  message: { required: ['role', 'content'], optional: ['id', 'status', 'phase'] },
  function_call: { required: ['call_id', 'name', 'arguments'], optional: ['id', 'status', 'namespace'] },
  function_call_output: { required: ['call_id', 'output'], optional: ['id', 'status'] },
  reasoning: { required: ['summary'], optional: ['id', 'content', 'encrypted_content'] },
  web_search_call: { required: ['id', 'status'], optional: ['action'] },
  item_reference: { required: ['id'], optional: [] },
  custom_tool_call: {
    required: ['call_id', 'name', 'input'],
    optional: ['id', 'status', 'namespace', 'caller'],
  },
  custom_tool_call_output: { required: ['call_id', 'output'], optional: ['id', 'caller'] },
};

/** Items of the platform's own tools, by what they require. Sources: the public schema, `Item`; ResponseInputItem of `openai` 7.55. */
const hosted: Readonly<Record<string, readonly string[]>> = {
  additional_tools: ['role', 'tools'],
  apply_patch_call: ['call_id', 'operation', 'status'],
  apply_patch_call_output: ['call_id', 'status'],
  code_interpreter_call: ['id', 'status', 'container_id', 'code', 'outputs'],
  compaction: ['encrypted_content'],
  compaction_trigger: [],
  computer_call: ['id', 'call_id', 'pending_safety_checks', 'status'],
  computer_call_output: ['call_id', 'output'],
  configuration_update: [],
  file_search_call: ['id', 'status', 'queries'],
  image_generation_call: ['id', 'status', 'result'],
  local_shell_call: ['id', 'call_id', 'action', 'status'],
  local_shell_call_output: ['output'],
  mcp_approval_request: ['id', 'server_label', 'name', 'arguments'],
  mcp_approval_response: ['approval_request_id', 'approve'],
  mcp_call: ['id', 'server_label', 'name', 'arguments'],
  mcp_list_tools: ['id', 'server_label', 'tools'],
  program: ['id', 'call_id', 'code', 'fingerprint'],
  program_output: ['id', 'call_id', 'result', 'status'],
  shell_call: ['call_id', 'action'],
  shell_call_output: ['call_id', 'output'],
  tool_search_call: ['arguments'],
  tool_search_output: ['tools'],
};

const given = ['input_text', 'input_image', 'input_file'];
const parts: Readonly<Record<string, readonly string[]>> = {
  user: given,
  system: given,
  developer: given,
  assistant: ['output_text', 'refusal'],
};

export function checkInput(input: unknown, account: string): void {
  if (typeof input === 'string') return;
  if (!Array.isArray(input)) {
    const message = `Invalid type for 'input': expected one of a string or array of input items, but got ${typeof input} instead.`;
    refuse(message, 'input', 'invalid_type');
  }
  const list = input.map((item) => withType(objectOf(item)));
  for (const [index, item] of list.entries()) checkItem(item, `input[${index}]`, account);
  const trigger = list.findIndex(({ type }) => type === 'compaction_trigger');
  if (trigger >= 0 && trigger < list.length - 1)
    refuse('A compaction trigger must be the last item.', `input[${trigger}]`);
  checkPairs(list);
  checkReasoningStays(list);
  checkReasoningLeads(list);
}

/** The type of a message may be left out. */
export function withType(item: JsonObject): JsonObject {
  return 'type' in item || !('role' in item) ? item : { type: 'message', ...item };
}

function checkItem(item: JsonObject, path: string, account: string): void {
  const type = textOf(item.type);
  const rule = items[type];
  const required = rule?.required ?? hosted[type];
  if (!required) refuseValue(type, path, [...Object.keys(items), ...Object.keys(hosted)]);
  const missing = required.find((name) => !(name in item));
  if (missing !== undefined) refuseMissing(`${path}.${missing}`);
  if (!rule) return;
  checkKeys(item, new Set(['type', ...rule.required, ...rule.optional]), (unknown) =>
    refuseUnknown(`${path}.${unknown}`),
  );
  // Sources: decolua/9router issue 393, AnswerDotAI/fastllm issue 45.
  refuseLongId(textOf(item.call_id), 64, `${path}.call_id`);
  if (type === 'message') checkMessage(item, path);
  if (type.endsWith('_call_output')) checkParts(item.output, given, `${path}.output`);
  if (type === 'function_call' && typeof item.arguments !== 'string') {
    refuse(`Invalid type for '${path}.arguments': expected a string.`, `${path}.arguments`, 'invalid_type');
  }
  if (type === 'reasoning') checkReasoning(item, path, account);
  if (type === 'item_reference') refuseNotKept(textOf(item.id));
}

function checkMessage({ role, content, phase }: JsonObject, path: string): void {
  const allowed = parts[textOf(role)];
  if (!allowed) refuseValue(role, `${path}.role`, Object.keys(parts));
  checkParts(content, allowed, `${path}.content`);
  if (phase === undefined || phase === null) return;
  if (role !== 'assistant') refuseUnknown(`${path}.phase`);
  if (phase !== 'commentary' && phase !== 'final_answer') {
    refuseValue(phase, `${path}.phase`, ['commentary', 'final_answer']);
  }
}

function checkParts(content: unknown, allowed: readonly string[], path: string): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    refuse(`Invalid type for '${path}': expected one of a string or array of parts.`, path, 'invalid_type');
  }
  for (const [index, part] of objectsOf(content).entries()) {
    const partPath = `${path}[${index}]`;
    const type = textOf(part.type);
    if (!allowed.includes(type)) refuseValue(type, `${partPath}.type`, allowed);
    checkPart(part, type, partPath);
  }
}

function checkPart(part: JsonObject, type: string, path: string): void {
  if (type.endsWith('_text') && typeof part.text !== 'string') refuseMissing(`${path}.text`);
  if (type === 'input_image') checkImage(part, path);
  if (type === 'input_file') checkFile(part, path);
}

function checkImage({ image_url, detail = 'auto' }: JsonObject, path: string): void {
  if (typeof image_url !== 'string') {
    const message = `Invalid type for '${path}.image_url': expected an image URL, but got an object instead.`;
    refuse(message, `${path}.image_url`, 'invalid_type');
  }
  if (!/^(https?:|data:image\/)/.test(image_url)) {
    refuse(`Invalid '${path}.image_url'. Expected a valid URL.`, `${path}.image_url`, 'invalid_value');
  }
  if (!/^(low|high|auto|original)$/.test(textOf(detail))) {
    refuseValue(detail, `${path}.detail`, ['low', 'high', 'auto', 'original']);
  }
}

/** Source: OpenAI's guide "File inputs". */
const fileTypes: ReadonlySet<string> = wordSet(
  'application/pdf application/json application/msword application/vnd.ms-excel text/plain',
  'text/markdown text/html text/csv text/xml text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
);

function checkFile({ file_data, file_url, filename }: JsonObject, path: string): void {
  if (typeof file_url === 'string' && /^https?:/.test(file_url)) return;
  const [, type = ''] = /^data:([^;,]+);base64,[A-Za-z0-9+/]+=*$/.exec(textOf(file_data)) ?? [];
  if (!fileTypes.has(type)) {
    const message = `Invalid '${path}.file_data': expected a base64-encoded data URL of a supported file type.`;
    refuse(message, `${path}.file_data`, 'invalid_value');
  }
  if (textOf(filename) === '') refuseMissing(`${path}.filename`);
}

function checkReasoning({ id, encrypted_content: content }: JsonObject, path: string, account: string): void {
  if (content === undefined || content === null) refuseNotKept(textOf(id));
  const owner = decrypt(account, textOf(content));
  if (owner !== undefined && (id === undefined || id === owner)) return;
  const reason =
    owner === undefined
      ? 'Encrypted content could not be decrypted or parsed.'
      : 'Encrypted content item_id did not match the target item id.';
  const message = `The encrypted content for item ${textOf(id) || path} could not be verified. Reason: ${reason}`;
  refuse(message, null, 'invalid_encrypted_content');
}

/** Requests keep nothing here. */
function refuseNotKept(id: string): never {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  refuse(message, 'input', null, 404);
}

function checkPairs(list: readonly JsonObject[]): void {
  const open = new Set<string>();
  for (const item of list) {
    const id = textOf(item.call_id);
    const type = textOf(item.type);
    if (type === 'function_call' || type === 'custom_tool_call') open.add(`${type} ${id}`);
    const call = /^(function_call|custom_tool_call)_output$/.exec(type)?.[1];
    if (call !== undefined && !open.delete(`${call} ${id}`)) {
      refuse(`No tool call found for function call output with call_id ${id}.`, 'input');
    }
  }
  const [lost] = open;
  if (lost !== undefined) refuse(`No tool output found for function call ${lost.split(' ')[1]}.`, 'input');
}

/** An item that is named by its id comes with the reasoning that led to it. */
function checkReasoningStays(list: readonly JsonObject[]): void {
  const seen = new Set<string>();
  for (const { type, id } of list) {
    const needed = reasoningIdOf(textOf(id));
    if (type === 'reasoning') seen.add(textOf(id));
    else if (needed !== undefined && !seen.has(needed)) {
      const message = `Item '${textOf(id)}' of type '${textOf(type)}' was provided without its required 'reasoning' item: '${needed}'.`;
      refuse(message, 'input');
    }
  }
}

/** Reasoning comes with what it led to. */
function checkReasoningLeads(list: readonly JsonObject[]): void {
  for (const [index, { type, id }] of list.entries()) {
    const next = list.slice(index + 1).find((item) => item.type !== 'reasoning');
    const isLed = next && (next.role === 'assistant' || made.has(textOf(next.type)));
    if (type !== 'reasoning' || isLed) continue;
    refuse(
      `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`,
      'input',
    );
  }
}

/** What a model makes besides messages. */
const made = new Set([
  'function_call',
  'custom_tool_call',
  'web_search_call',
  ...Object.keys(hosted).filter((type) => type.endsWith('_call')),
]);
