/**
 * The gateway's own count of the tokens of a request, for models whose provider does not count: an upper bound. Texts are counted
 * exactly in `cl100k_base`, and then for the model's family; images by their size, documents by their pages.
 */
import { inTurns } from '../../async/in-turns.ts';
import type { Target } from '../../core/catalog/model.ts';
import { pdfType } from '../../core/formats/file-type.ts';
import { imageSize } from '../../core/formats/image-size.ts';
import type {
  AssistantMessage,
  ContentPart,
  GenerationRequest,
  Message,
} from '../../core/generation/request.ts';
import { countTokens } from '../byte-pairs/byte-pairs.ts';
import { type Family, familyOf } from './families.ts';
import { countPages } from './pdf-pages.ts';

/** The most that is counted exactly, in bytes: more than the longest context. What is beyond counts as `bytesPerToken`. */
const maxExact = 6 * 1024 * 1024;
const bytesPerToken = 2;

/** What begins and ends a message, a call, its result and a tool. Source: OpenAI's cookbook, "How to count tokens": 3 to 7. */
const perItem = 12;

/** A call and its result name each other by an id. */
const perCall = 24;

/** Encrypted reasoning has more characters than this for one token. */
const encryptedPerToken = 4;

/** A minute of audio has about 32 kilobytes at the lowest quality and 1,920 tokens. Source: ai.google.dev, "Audio understanding". */
const charactersPerAudioToken = 16;

/** A document whose bytes are elsewhere. */
const unknownPages = 20;

/** Rejects only with the reason of the signal. */
export async function countOwn(
  request: GenerationRequest,
  target: Target,
  signal: AbortSignal,
): Promise<number> {
  const family = familyOf(ownerOf(target));
  const { texts, encoded } = textsOf(request);
  let exact = 0;
  let beyond = 0;
  let left = maxExact;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) beyond += bytes;
    else exact += await inTurns(countTokens(text, Number.POSITIVE_INFINITY), signal);
    left -= Math.min(left, bytes);
  }
  const { messages, tools } = request;
  const calls = messages.reduce((sum, one) => sum + (one.role === 'assistant' ? one.toolCalls.length : 0), 0);
  const results = messages.filter(({ role }) => role === 'tool').length;
  const hasTools = tools.length > 0 || request.webSearch !== undefined || request.hostedTools !== undefined;
  const media = messages
    .flatMap(({ content }) => content)
    .reduce((sum, part) => sum + ofPart(part, family), 0);
  return Math.ceil(
    family.perRequest +
      (hasTools ? family.perTools : 0) +
      (messages.length + tools.length) * perItem +
      (calls + results) * perCall +
      exact * family.perToken +
      beyond / bytesPerToken +
      encoded / encryptedPerToken +
      media,
  );
}

/** The first part of a model's id is who made it. */
const ownerOf = ({ model }: Target): string => model.id.slice(0, model.id.indexOf('/'));

function ofPart(part: ContentPart, { image, perPage }: Family): number {
  if (part.type === 'text') return 0;
  if (part.type === 'image') return image(imageSize(part.url));
  if (part.type !== 'file') return part.url.length / charactersPerAudioToken;
  const start = part.url.indexOf(';base64,');
  if (start < 0) return unknownPages * perPage;
  const bytes = Buffer.from(part.url.slice(start + ';base64,'.length), 'base64');
  return (part.mediaType ?? pdfType) === pdfType ? countPages(bytes) * perPage : bytes.length / bytesPerToken;
}

function textsOf(request: GenerationRequest) {
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
