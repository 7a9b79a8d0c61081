/**
 * Fields of a Messages body that are refused without their beta. What is left here only shortens, shares or shows: the answer
 * means the same without it. Fields that mean more stay, so that the provider names them.
 */
import type { JsonObject } from '../core/generation/request.ts';
import type { Change } from '../normalization/rule.ts';
import { asObject } from '../protocols/json.ts';

interface Field {
  /** One of them is enough. */
  readonly betas: readonly string[];
  readonly param: string;
  /** Calls `found` with each value that it takes out. */
  readonly strip: (body: JsonObject, found: (value: unknown) => void) => JsonObject;
}

/** Sources: Anthropic's SDK, the betas beside its types; anthropics/claude-code issues 41966, 49548 and 82549. */
const fields: readonly Field[] = [
  {
    betas: ['context-management-2025-06-27', 'compact-2026-01-12'],
    param: 'context_management',
    strip: (body, found) => without(body, 'context_management', found),
  },
  {
    betas: ['dangerous-tool-use-2026-09-03'],
    param: 'safeguards',
    strip: (body, found) => without(body, 'safeguards', found),
  },
  {
    betas: ['thinking-display-updates-2026-08-18'],
    param: 'thinking.display',
    strip: (body, found) =>
      asObject(body.thinking).display === 'updates' ? within(body, 'thinking', 'display', found) : body,
  },
  {
    betas: ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
    param: 'tools.defer_loading',
    strip: (body, found) => inEach(body, 'tools', (tool) => without(tool, 'defer_loading', found)),
  },
  {
    betas: ['per-turn-control-2026-07-01', 'mid-conversation-output-config-2026-07-01'],
    param: 'messages.output_config',
    strip: (body, found) => inEach(body, 'messages', (message) => without(message, 'output_config', found)),
  },
  {
    betas: ['prompt-caching-scope-2026-01-05'],
    param: 'cache_control.scope',
    strip: withoutScopes,
  },
];

/** `kept`: the betas that are sent. */
export function withoutFieldsOf(
  body: JsonObject,
  kept: readonly string[],
): { readonly body: JsonObject; readonly changes: readonly Change[] } {
  const changes: Change[] = [];
  let left = body;
  for (const { betas, param, strip } of fields) {
    if (betas.some((beta) => kept.includes(beta))) continue;
    const values = new Set<unknown>();
    left = strip(left, (value) => values.add(value));
    changes.push(...[...values].map((value) => stripped(param, value)));
  }
  return { body: left, changes };
}

function stripped(param: string, before: unknown): Change {
  return { param, action: 'strip', before, after: null, reason: 'The provider refuses it without its beta.' };
}

function without(holder: JsonObject, name: string, found: (value: unknown) => void): JsonObject {
  const { [name]: value, ...rest } = holder;
  if (value === undefined) return holder;
  found(value);
  return rest;
}

function within(body: JsonObject, name: string, field: string, found: (value: unknown) => void): JsonObject {
  const holder = asObject(body[name]);
  const left = without(holder, field, found);
  return left === holder ? body : { ...body, [name]: left };
}

function inEach(body: JsonObject, name: string, change: (one: JsonObject) => JsonObject): JsonObject {
  const list = body[name];
  return Array.isArray(list) ? { ...body, [name]: list.map((one) => change(asObject(one))) } : body;
}

/** Markers stand on the body, tools, instructions and blocks; those of a tool's result are one level further down. */
function withoutScopes(body: JsonObject, found: (value: unknown) => void): JsonObject {
  const unscoped = (holder: JsonObject) => within(holder, 'cache_control', 'scope', found);
  const inContent = (holder: JsonObject): JsonObject =>
    inEach(holder, 'content', (block) => inContent(unscoped(block)));
  return inEach(inEach(inEach(unscoped(body), 'tools', unscoped), 'system', unscoped), 'messages', inContent);
}
