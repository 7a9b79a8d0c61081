/** Reads a valid Messages body into an internal request. */
import type { ReadHeader } from '../../../core/endpoint.ts';
import type { OriginalRequest } from '../../../core/generation/original.ts';
import type { Message, TextPart } from '../../../core/generation/request.ts';
import { source, wholeSource } from '../../../core/generation/source.ts';
import type { DebugCategory } from '../../debug.ts';
import type { Asked } from '../../generation/prepare.ts';
import { includesCost } from '../../read-request.ts';
import type { MessagesBody } from './schema.ts';

/** A Messages request, read. */
export interface MessagesInput extends Asked {
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
}

export function readMessages(
  body: MessagesBody,
  given: unknown = body,
  header: ReadHeader = () => undefined,
): MessagesInput {
  const { model, max_tokens, extra, stream } = body;
  return {
    model,
    fallbacks: extra?.fallbacks ?? [],
    normalize: extra?.normalize ?? true,
    debug: extra?.debug ?? [],
    includeCost: includesCost({ extra }),
    leftOut: [],
    request: {
      messages: body.messages.map(readMessage),
      tools: [],
      parameters: { max_tokens },
      stream: stream ?? false,
      original: readOriginal(given as MessagesBody, header),
    },
  };
}

const headers = ['anthropic-beta', 'anthropic-version'];

function readOriginal({ extra: _, ...body }: MessagesBody, header: ReadHeader): OriginalRequest {
  const given = headers.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { protocol: 'anthropic-messages', body, headers: Object.fromEntries(given) };
}

type Given = MessagesBody['messages'][number];

function readMessage({ role, content }: Given, index: number): Message {
  const path = `messages.${index}`;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const parts = blocks.flatMap((block, at): TextPart[] => {
    const { text } = block as { readonly text?: unknown };
    return typeof text === 'string'
      ? [{ type: 'text', text, [source]: wholeSource(`${path}.content.${at}`) }]
      : [];
  });
  const from = { [source]: wholeSource(path) };
  if (role === 'assistant') return { role, content: parts, toolCalls: [], reasoningDetails: [], ...from };
  return { role, content: parts, ...from };
}
