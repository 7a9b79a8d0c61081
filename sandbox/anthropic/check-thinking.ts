/** What the Anthropic protocol refuses of `thinking`, and of the rest of a request because of it. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { type BlockKind, type LoopMessage, unthoughtLoop } from '../thinking-loop.ts';
import { refuse } from './refuse.ts';

const adaptive = /^claude-((opus|sonnet)-4-[678]|(opus|sonnet|haiku|fable|mythos)-5)/;

const types = new Set(['enabled', 'adaptive', 'disabled', 'between_tools']);

/** `onlyAdaptive`: whether the model takes no budget. */
export function checkThinking(body: JsonObject, model: string, onlyAdaptive: boolean): void {
  const { type, budget_tokens } = objectOf(body.thinking);
  if (type !== undefined && !types.has(textOf(type))) {
    refuse(
      `thinking: Input tag '${textOf(type)}' found using 'type' does not match any of the expected tags`,
    );
  }
  if (type === 'adaptive' && !adaptive.test(model))
    refuse('adaptive thinking is not supported on this model');
  if (type !== 'enabled') return;
  if (onlyAdaptive) refuse('"thinking.type.enabled" is not supported for this model. Use "adaptive".');
  const unthought = unthoughtLoop(objectsOf(body.messages).map(toLoopMessage));
  if (unthought !== undefined) refuse(unthought);
  const budget = numberOf(budget_tokens) ?? 0;
  if (budget < 1_024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= (numberOf(body.max_tokens) ?? 0)) {
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (body.top_k !== undefined) refuse('`top_k` must be unset when thinking is enabled.');
  const { temperature } = body;
  if (temperature !== undefined && temperature !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled.');
  }
}

const kinds = new Map<string, BlockKind>([
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ['tool_use', 'call'],
  ['tool_result', 'result'],
]);

/** A content that is only a text has no blocks. */
function toLoopMessage({ role, content }: JsonObject): LoopMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' }] : objectsOf(content);
  return { role, kinds: blocks.map(({ type }) => kinds.get(textOf(type)) ?? 'other') };
}
