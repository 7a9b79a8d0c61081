/** The texts of a request that a model reads, apart from images and documents, and the lengths of those that only it can read. */
import type { AssistantMessage, GenerationRequest, Message } from '../../core/generation/request.ts';

interface ReadTexts {
  readonly texts: readonly string[];
  /** Characters of encrypted reasoning. */
  readonly encoded: number;
}

export function textsOf(request: GenerationRequest): ReadTexts {
  const { messages, tools, parameters, webSearch, hostedTools = [] } = request;
  const declared = tools.map(({ name, description = '', parameters: schema = {}, format }) =>
    [name, description, JSON.stringify(schema), format ? JSON.stringify(format) : ''].join('\n'),
  );
  const { response_format: format } = parameters;
  const given = [webSearch, format, ...hostedTools.map(({ tool }) => tool)].filter(
    (one) => one !== undefined,
  );
  return {
    texts: [...messages.flatMap(ofMessage), ...declared, ...given.map((one) => JSON.stringify(one))],
    encoded: messages.reduce(
      (sum, message) => sum + (message.role === 'assistant' ? encryptedIn(message) : 0),
      0,
    ),
  };
}

function ofMessage(message: Message): readonly string[] {
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (message.role !== 'assistant') return message.name === undefined ? texts : [...texts, message.name];
  const { toolCalls, reasoning = '', refusal = '', webSearches = [], items = [] } = message;
  const calls = toolCalls.flatMap(({ name, arguments: given }) => [name, given]);
  const thoughts = message.reasoningDetails.flatMap((detail) => {
    if (detail.type === 'reasoning.text') return [detail.text];
    return detail.type === 'reasoning.summary' ? [detail.summary] : [];
  });
  // The details say the same as the plain reasoning, with more precision.
  const thought = thoughts.length > 0 ? thoughts : [reasoning];
  const others = [...webSearches, ...items].map((one) => JSON.stringify(one));
  return [...texts, refusal, ...calls, ...thought, ...others].filter((text) => text !== '');
}

const encryptedIn = ({ reasoningDetails }: AssistantMessage): number =>
  reasoningDetails.reduce(
    (sum, detail) => sum + (detail.type === 'reasoning.encrypted' ? detail.data.length : 0),
    0,
  );
