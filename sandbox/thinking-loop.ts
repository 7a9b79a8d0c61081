/**
 * What Claude refuses with a thinking budget: a tool loop at the end of the conversation that did not begin with thinking.
 *
 * Sources: the sentence in openai/openai-agents-python issue 678 and anomalyco/opencode issue 3077; that a loop is one turn,
 * so that only its first message needs the thinking: platform.claude.com, "Thinking in tool and multi-turn workflows".
 */

/** A message: its role, and the kinds of its blocks. */
export interface LoopMessage {
  readonly role: unknown;
  readonly kinds: readonly BlockKind[];
}

export type BlockKind = 'thinking' | 'call' | 'result' | 'other';

/** The refusal in Claude's words; undefined where there is none. */
export function unthoughtLoop(messages: readonly LoopMessage[]): string | undefined {
  let index = messages.findLastIndex(({ role }) => role === 'assistant');
  if (!messages[index]?.kinds.includes('call')) return undefined;
  while (onlyResults(messages[index - 1]) && messages[index - 2]?.kinds.includes('call')) index -= 2;
  if (messages[index]?.kinds[0] === 'thinking') return undefined;
  const found = messages[index]?.kinds[0] === 'call' ? 'tool_use' : 'text';
  return [
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`.`,
    'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost',
    'set of `tool_use` and `tool_result` blocks). To avoid this requirement, disable `thinking`.',
  ].join(' ');
}

const onlyResults = (message: LoopMessage | undefined): boolean =>
  message?.kinds.every((kind) => kind === 'result') === true;
