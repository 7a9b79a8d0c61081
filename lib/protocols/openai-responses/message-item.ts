/** A message of an answer: its texts and refusals, citations, and log probabilities. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { asIndex, asOptionalText, asText } from '../json.ts';
import { onLogprobs } from '../openai-chat/logprobs.ts';
import { type Answer, type Events, entryOf, restOf } from './answer.ts';
import type * as wire from './wire.ts';

interface Part {
  /** The number of characters of text before it. */
  readonly from: number;
  text: string;
  refusal: string;
  annotations: number;
  hasLogprobs: boolean;
}

export interface MessageItem {
  readonly type: 'message';
  readonly parts: Map<number, Part>;
}

export const newMessage = (): MessageItem => ({ type: 'message', parts: new Map() });

export function openMessage({ phase }: wire.Item): Events {
  const known = asOptionalText(phase);
  return [{ type: 'message', choice: 0, ...(known !== undefined && { phase: known }) }];
}

export function onTextDelta(answer: Answer, item: MessageItem, event: wire.Event): Events {
  const part = partOf(answer, item, event);
  return [...emitText(answer, part, asText(event.delta)), ...emitLogprobs(part, event.logprobs)];
}

/** The complete text, at its end. */
export function onText(answer: Answer, item: MessageItem, event: wire.Event): Events {
  const part = partOf(answer, item, event);
  const rest = emitText(answer, part, restOf(part.text, asText(event.text)));
  return [...rest, ...(part.hasLogprobs ? [] : emitLogprobs(part, event.logprobs))];
}

export function onRefusalDelta(answer: Answer, item: MessageItem, event: wire.Event): Events {
  return emitRefusal(partOf(answer, item, event), asText(event.delta));
}

/** The complete refusal, at its end. */
export function onRefusal(answer: Answer, item: MessageItem, event: wire.Event): Events {
  const part = partOf(answer, item, event);
  return emitRefusal(part, restOf(part.refusal, asText(event.refusal)));
}

export function onAnnotation(answer: Answer, item: MessageItem, event: wire.Event): Events {
  const part = partOf(answer, item, event);
  const index = asIndex(event.annotation_index, part.annotations);
  if (index < part.annotations) return [];
  part.annotations = index + 1;
  return emitCitation(part, asObject<wire.Annotation>(event.annotation));
}

/** A complete part, at its end or at the end of its message. */
export function onPart(answer: Answer, item: MessageItem, content_index: unknown, part: wire.Part): Events {
  const event = { ...part, content_index };
  if (part.type === 'refusal') return onRefusal(answer, item, event);
  if (part.type !== 'output_text') return [];
  return [
    // The text comes first: an annotation of the whole text needs its end.
    ...onText(answer, item, event),
    ...asArray(part.annotations).flatMap((annotation, annotation_index) =>
      onAnnotation(answer, item, { content_index, annotation_index, annotation }),
    ),
  ];
}

export function closeMessage(answer: Answer, item: MessageItem, { content }: wire.Item): Events {
  return asArray(content).flatMap((part, index) => onPart(answer, item, index, asObject<wire.Part>(part)));
}

function partOf(answer: Answer, { parts }: MessageItem, { content_index }: wire.Event): Part {
  return entryOf(parts, asIndex(content_index, 0), () => ({
    from: answer.written,
    text: '',
    refusal: '',
    annotations: 0,
    hasLogprobs: false,
  }));
}

function emitText(answer: Answer, part: Part, text: string): Events {
  if (text === '') return [];
  part.text += text;
  answer.written += text.length;
  return [{ type: 'text', choice: 0, text }];
}

function emitRefusal(part: Part, text: string): Events {
  if (text === '') return [];
  part.refusal += text;
  return [{ type: 'refusal', choice: 0, text }];
}

function emitLogprobs(part: Part, logprobs: unknown): Events {
  const events: Events[number][] = [];
  onLogprobs(0, { content: logprobs }, events);
  part.hasLogprobs ||= events.length > 0;
  return events;
}

/** xAI gives no offsets: such a source is for the whole text. Citations of files are passed on as they are. */
function emitCitation({ from, text }: Part, annotation: wire.Annotation): Events {
  const url = asOptionalText(annotation.url);
  if (annotation.type !== 'url_citation') {
    return typeof annotation.type !== 'string'
      ? []
      : [{ type: 'protocol-annotation', choice: 0, annotation }];
  }
  if (url === undefined) return [];
  const url_citation = {
    url,
    title: asText(annotation.title),
    start_index: from + asIndex(annotation.start_index, 0),
    end_index: from + asIndex(annotation.end_index, text.length),
  };
  return [{ type: 'annotation', choice: 0, annotation: { type: 'url_citation', url_citation } }];
}
