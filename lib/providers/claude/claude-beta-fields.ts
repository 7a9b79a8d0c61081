/**
 * Fields of a Messages body that are refused without their beta. What is left out here only shortens, shares or shows: the
 * answer means the same without it. Fields that mean more stay, so that the provider names them.
 */
import { isJsonObject } from '../../core/formats/json-object.ts';
import { mapBlocks } from '../../core/generation/original/original-blocks.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { Change } from '../../normalization/rule.ts';

interface Field {
  /** One of them is enough. */
  readonly betas: readonly string[];
  readonly param: string;
  /** Calls `found` with each value that it takes out. */
  readonly strip: (body: JsonObject, found: Found) => JsonObject;
}

type Found = (value: unknown) => void;

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
    strip: (body, found) => within(body, 'thinking', 'display', found, (value) => value === 'updates'),
  },
  {
    betas: ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
    param: 'tools.defer_loading',
    strip: (body, found) => inEach(body, /^tools\.\d+$/, (tool) => without(tool, 'defer_loading', found)),
  },
  {
    betas: ['per-turn-control-2026-07-01', 'mid-conversation-output-config-2026-07-01'],
    param: 'messages.output_config',
    strip: (body, found) =>
      inEach(body, /^messages\.\d+$/, (message) => without(message, 'output_config', found)),
  },
  {
    betas: ['prompt-caching-scope-2026-01-05'],
    param: 'cache_control.scope',
    strip(body, found) {
      const unscoped = (block: JsonObject) => within(block, 'cache_control', 'scope', found);
      return inEach(unscoped(body), /^/, unscoped);
    },
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

function without(holder: JsonObject, name: string, found: Found): JsonObject {
  const { [name]: value, ...rest } = holder;
  if (value === undefined) return holder;
  found(value);
  return rest;
}

function within(
  holder: JsonObject,
  name: string,
  field: string,
  found: Found,
  applies: (value: unknown) => boolean = () => true,
): JsonObject {
  const inner = holder[name];
  if (!isJsonObject(inner) || !applies(inner[field])) return holder;
  const left = without(inner, field, found);
  return left === inner ? holder : { ...holder, [name]: left };
}

function inEach(body: JsonObject, at: RegExp, change: (block: JsonObject) => JsonObject): JsonObject {
  return mapBlocks(body, (block, path) => (at.test(path) ? change(block) : block));
}
