/**
 * Conversations that Claude, Bedrock or Gemini refuse for their shape: begun by the assistant, with blank texts of the
 * user, or with a document and no word about it. What the gateway adds is neutral, always the same, and on record.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { pathOf, type Sourced, source, wholeSource } from '../../core/generation/original/source.ts';
import type { AssistantMessage, Message, TextPart, UserMessage } from '../../core/generation/request.ts';
import { willReason } from '../effort.ts';
import { added, type Change, type ConversationRule, overridden, stripped } from '../rule.ts';

const neutralBeginning = '[The conversation begins.]';
const neutralPrompt = '[A document.]';

/**
 * A turn of the user before an assistant message that begins the conversation. Source: deepgram/deepgram-python-sdk
 * issue 760 (Bedrock, every model), Anthropic's Messages API reference.
 */
export const beginsWithUser: ConversationRule = begins(() => true);

/**
 * The same before a call only: Gemini takes texts. Source: google-gemini/gemini-cli issue 26486, pipecat-ai/pipecat
 * PR 5660.
 */
export const callsFollowUser: ConversationRule = begins(({ toolCalls }) => toolCalls.length > 0);

function begins(isRefused: (first: AssistantMessage) => boolean): ConversationRule {
  return {
    apply: (messages) => {
      const start = messages.findIndex(({ role }) => role !== 'system');
      const first = messages[start];
      if (first?.role !== 'assistant' || !isRefused(first)) return undefined;
      const added: UserMessage = { role: 'user', content: [gatewayText(neutralBeginning, first)] };
      const reason = 'The provider requires that the user begins the conversation.';
      return {
        messages: messages.toSpliced(start, 0, added),
        changes: [addition(pathOf(first), { role: 'user', content: neutralBeginning }, reason)],
      };
    },
  };
}

/**
 * Blank messages of the user are left out, as these protocols have no block for them. One that asks for the answer
 * cannot be: without it the assistant's last message would be continued.
 */
export const withoutBlankUsers: ConversationRule = {
  apply: (messages) => {
    const blank = messages.filter(isBlankUser);
    if (blank.length === 0) return undefined;
    const rest = messages.filter((message) => !isBlankUser(message));
    const last = messages.at(-1);
    const isNeeded = rest.at(-1)?.role === 'assistant' && last !== undefined && isBlankUser(last);
    const refused = isNeeded ? last : blank[0];
    if (refused && (isNeeded || rest.every(({ role }) => role === 'system'))) throw blankRefused(refused);
    return { messages: rest, changes: blank.map(leftOut) };
  },
};

/** Bedrock requires a text beside a document. Source: AWS, Bedrock API reference, DocumentBlock. */
export const textBesideDocuments: ConversationRule = {
  apply: (given) => {
    const changes: Change[] = [];
    const messages = given.map((message): Message => {
      if (message.role !== 'user' || !isWordless(message)) return message;
      const reason = 'The provider requires a text beside a document.';
      changes.push(addition(pathOf(message, 'content'), { type: 'text', text: neutralPrompt }, reason));
      return { ...message, content: [...message.content, gatewayText(neutralPrompt, message)] };
    });
    return changes.length > 0 ? { messages, changes } : undefined;
  },
};

const isBlankText = ({ text }: TextPart): boolean => text.trim() === '';

function isBlankUser(message: Message): boolean {
  return (
    message.role === 'user' && message.content.every((part) => part.type === 'text' && isBlankText(part))
  );
}

function isWordless({ content }: UserMessage): boolean {
  const hasDocument = content.some(({ type }) => type === 'file');
  return hasDocument && content.every((part) => part.type !== 'text' || isBlankText(part));
}

/** A text of the gateway, which stands for what the caller wrote beside it. */
function gatewayText(text: string, { [source]: beside }: Sourced): TextPart {
  return { type: 'text', text, ...(beside && { [source]: wholeSource(beside.path) }) };
}

function blankRefused(message: Message): GatewayError {
  const param = pathOf(message, 'content');
  return new GatewayError('invalid_request', `'${param}' is blank, which the provider does not accept.`, {
    param,
  });
}

function leftOut(message: Message): Change {
  const reason = 'The provider does not accept blank messages.';
  return stripped(pathOf(message), { role: 'user' }, reason);
}

function addition(param: string, after: object, reason: string): Change {
  return added(param, after, reason);
}

/** Source: Alibaba Cloud Model Studio, "Partial mode": its models have it in non-thinking mode. */
export const continuedWithoutReasoning: ConversationRule = {
  apply: (messages, { parameters, target }) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || !willReason(parameters, target)) return undefined;
    const change = overridden(
      pathOf(last),
      { continued: true },
      { continued: false },
      'The model does not continue an assistant message while it reasons. It answers after it.',
    );
    return { messages: messages.with(-1, { ...last, continued: false }), changes: [change] };
  },
};
