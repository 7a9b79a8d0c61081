/** Writes an answer in the Gemini protocol, as a body or as the frames of a stream, each of which is a body with new parts. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type Answer, newId } from '../exchange.ts';
import { countTokens, piecesOf } from '../script.ts';
import { seal } from '../signature.ts';

interface ContentOptions {
  readonly model: string;
  /** Whether thoughts are shown; they are counted either way. */
  readonly showThoughts: boolean;
  readonly candidates?: number;
  /** The tier that answers, in the field that the provider has for it. */
  readonly served: JsonObject;
  /** Tokens of the prompt that were cached content. */
  readonly cached?: number;
  /** Whether the steps of the provider's own tools are shown, and calls have ids. */
  readonly showSteps?: boolean;
}

export function writeContent(answer: Answer, options: ContentOptions): JsonObject {
  const thoughts = answer.reasoning && options.showThoughts ? [thoughtPart(answer.reasoning)] : [];
  const text = answer.text ? [{ text: answer.text, ...signatureOf(answer, answer.text) }] : [];
  const parts = [...thoughts, ...stepParts(answer, options), ...text, ...callParts(answer, options)];
  const candidates = Array.from({ length: options.candidates ?? 1 }, (_, index) => ({
    content: { role: 'model', ...(parts.length > 0 && { parts }) },
    finishReason: finishReason(answer),
    ...writeGrounding(answer),
    index,
  }));
  return { candidates, ...tail(answer, newId(''), options, answer.usage.output) };
}

/** The frames of a stream; they end as the provider ends them, with a carriage return. */
export function writeContentStream(answer: Answer, options: ContentOptions): readonly string[] {
  const id = newId('');
  const frames: string[] = [];
  let output = 0;
  const push = (parts: readonly object[], last: object = {}) => {
    const candidate = {
      content: { role: 'model', parts },
      ...last,
      index: 0,
    };
    const body = { candidates: [candidate], ...tail(answer, id, options, output) };
    frames.push(`data: ${JSON.stringify(body)}\r\n\r\n`);
  };
  if (options.showThoughts) for (const text of piecesOf(answer.reasoning)) push([thoughtPart(text)]);
  for (const part of stepParts(answer, options)) push([part]);
  for (const text of piecesOf(answer.text)) {
    // Never more than the total, which the last frame reports.
    output = Math.min(output + countTokens(text), answer.usage.output);
    push([{ text }]);
  }
  output = answer.usage.output;
  for (const part of callParts(answer, options)) push([part]);
  push([{ text: '', ...signatureOf(answer, answer.text) }], {
    finishReason: finishReason(answer),
    ...writeGrounding(answer),
  });
  return frames;
}

function thoughtPart(text: string) {
  return { text, thought: true };
}

/** A text that was thought about ends with a signature; a call carries its own. */
function signatureOf(answer: Answer, content: string) {
  return answer.reasoning && answer.calls.length === 0 ? { thoughtSignature: seal(content) } : {};
}

/** A search as its call and its result, each signed. */
function stepParts({ search }: Answer, { showSteps }: ContentOptions): readonly JsonObject[] {
  if (!search || !showSteps) return [];
  const step = { toolType: 'GOOGLE_SEARCH_WEB', id: newId('') };
  const toolCall = { ...step, args: { queries: [search.query] } };
  const toolResponse = { ...step, response: { search_suggestions: '<div></div>' } };
  return [
    { toolCall, thoughtSignature: seal(JSON.stringify(toolCall)) },
    { toolResponse, thoughtSignature: seal(JSON.stringify(toolResponse)) },
  ];
}

/** Of parallel calls only the first is signed. */
function callParts({ calls }: Answer, { showSteps }: ContentOptions): readonly JsonObject[] {
  return calls.map(({ name, arguments: args }, index) => ({
    functionCall: { ...(showSteps && { id: newId('') }), name, args },
    ...(index === 0 && { thoughtSignature: seal(`${name}${JSON.stringify(args)}`) }),
  }));
}

/** The finish reason of calls is STOP, too. */
function finishReason({ finish }: Answer): string {
  return finish === 'length' ? 'MAX_TOKENS' : 'STOP';
}

function tail(
  { usage }: Answer,
  responseId: string,
  { model, cached = 0, served }: ContentOptions,
  output: number,
): JsonObject {
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      ...(output > 0 && { candidatesTokenCount: output }),
      ...(cached > 0 && { cachedContentTokenCount: Math.min(cached, usage.input) }),
      totalTokenCount: usage.input + output + usage.reasoning,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: usage.input - usage.audio },
        ...(usage.audio > 0 ? [{ modality: 'AUDIO', tokenCount: usage.audio }] : []),
      ],
      ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
      ...served,
    },
    modelVersion: model,
    responseId,
  };
}

/** How a search is reported: the query, the pages, and which bytes of the text cite which page. */
/** Nothing where nothing was searched. */
function writeGrounding({ search, text, citations }: Answer): object {
  if (!search) return {};
  const byteAt = (at: number): number => Buffer.byteLength(text.slice(0, at));
  const groundingSupports = citations.map(({ start, end, source }) => ({
    segment: {
      // The provider leaves out what is 0.
      ...(start > 0 && { startIndex: byteAt(start) }),
      endIndex: byteAt(end),
      text: text.slice(start, end),
    },
    groundingChunkIndices: [search.sources.indexOf(source)],
  }));
  return {
    groundingMetadata: {
      searchEntryPoint: { renderedContent: '<div class="container"></div>' },
      groundingChunks: search.sources.map(({ url: uri, title }) => ({ web: { uri, title } })),
      ...(groundingSupports.length > 0 && { groundingSupports }),
      webSearchQueries: [search.query],
    },
  };
}
