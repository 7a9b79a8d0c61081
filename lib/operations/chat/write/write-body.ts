/** A chat answer as one body: the same events as a stream's, folded. */

import type { Batched } from '../../../async/pipe.ts';
import type { FinishReason, GenerationEvent, TokenLogprob } from '../../../core/generation/events.ts';
import type { ReasoningDetail, ToolIdentity } from '../../../core/generation/request.ts';
import type { Usage } from '../../../core/generation/usage.ts';
import { type CostInUsage, withCost } from '../../answer-facts.ts';
import { type ChatEvent, oneMessage } from '../read/one-message.ts';
import { writeSignatureOfCall } from '../thought-signature.ts';
import {
  type ChatIdentity,
  writeCalled,
  writeDetail,
  writeLogprobs,
  writeMeta,
  writeUsage,
} from './write.ts';

interface Choice {
  text: string;
  refusal: string;
  reasoning: string;
  readonly details: ReasoningDetail[];
  readonly calls: (ToolIdentity & { readonly id: string; text: string })[];
  readonly annotations: object[];
  readonly logprobs: { readonly content: TokenLogprob[]; readonly refusal: TokenLogprob[] };
  finish: FinishReason;
}

/** What `debug` returns at the end is added unchanged. */
export async function writeChatBody(
  events: Batched<GenerationEvent>,
  { id, created, model }: ChatIdentity,
  debug: () => object | undefined,
  cost: CostInUsage,
): Promise<object> {
  const choices = new Map<number, Choice>();
  let usage: Usage | undefined;
  let meta = {};
  let moderated = {};
  const join = oneMessage();
  const take = (given: GenerationEvent) => {
    const event = join(given);
    if (event?.type === 'start') meta = writeMeta(event);
    else if (event?.type === 'usage') usage = event.usage;
    else if (event) fold(choiceAt(choices, event.choice), event);
    if (event?.type === 'finish' && event.moderation) moderated = { moderation: event.moderation };
  };
  for await (const list of events) list.forEach(take);
  const facts = debug();
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    ...meta,
    choices: [...choices].sort(([a], [b]) => a - b).map(([index, choice]) => writeChoice(index, choice)),
    ...(usage && { usage: withCost(writeUsage(usage), cost) }),
    ...moderated,
    ...(facts && { debug: facts }),
  };
}

function choiceAt(choices: Map<number, Choice>, index: number): Choice {
  const known = choices.get(index);
  if (known) return known;
  const created: Choice = {
    text: '',
    refusal: '',
    reasoning: '',
    details: [],
    calls: [],
    annotations: [],
    logprobs: { content: [], refusal: [] },
    finish: 'stop',
  };
  choices.set(index, created);
  return created;
}

function fold(choice: Choice, event: Exclude<ChatEvent, { type: 'start' | 'usage' }>): void {
  switch (event.type) {
    case 'text':
      choice.text += event.text;
      break;
    case 'refusal':
      choice.refusal += event.text;
      break;
    case 'reasoning':
      choice.reasoning += event.text;
      break;
    case 'reasoning-detail':
      choice.details.push(event.detail);
      break;
    case 'tool-call':
      choice.calls[event.call] = {
        name: event.name,
        ...(event.kind && { kind: event.kind }),
        id: event.id,
        text: '',
      };
      break;
    case 'tool-arguments': {
      const call = choice.calls[event.call];
      if (call) call.text += event.text;
      break;
    }
    case 'annotation':
      choice.annotations.push(event.annotation);
      break;
    case 'logprobs':
      for (const token of event.content) choice.logprobs.content.push(token);
      for (const token of event.refusal) choice.logprobs.refusal.push(token);
      break;
    case 'finish':
      choice.finish = event.reason;
      break;
  }
}

function writeChoice(index: number, choice: Choice): object {
  const { content, refusal } = choice.logprobs;
  const hasLogprobs = content.length + refusal.length > 0;
  return {
    index,
    message: writeMessage(choice),
    logprobs: hasLogprobs ? writeLogprobs(choice.logprobs) : null,
    finish_reason: choice.finish,
  };
}

function writeMessage(choice: Choice): object {
  const withId = choice.details.flatMap((detail) =>
    detail.id === undefined ? [] : [[detail.id, detail] as const],
  );
  // Of several details with one id, the first.
  const byId = new Map(withId.toReversed());
  const isEmpty = choice.text === '' && (choice.calls.length > 0 || choice.refusal !== '');
  return {
    role: 'assistant',
    content: isEmpty ? null : choice.text,
    refusal: choice.refusal === '' ? null : choice.refusal,
    ...(choice.reasoning !== '' && { reasoning_content: choice.reasoning }),
    ...(choice.details.length > 0 && { reasoning_details: choice.details.map(writeDetail) }),
    ...(choice.calls.length > 0 && {
      tool_calls: choice.calls.map((call) => writeCall(call, byId.get(call.id))),
    }),
    ...(choice.annotations.length > 0 && { annotations: choice.annotations }),
  };
}

function writeCall(call: Choice['calls'][number], signed: ReasoningDetail | undefined): object {
  const extra = writeSignatureOfCall(signed);
  return { id: call.id, ...writeCalled(call, call.text), ...extra };
}
