/** Writes an answer in the Cohere protocol, as a body or as the pieces of a stream. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type Answer, namedEvent, type SandboxCall } from '../exchange.ts';
import { argumentPieces, piecesOf } from '../script.ts';

const finishReasons = {
  stop: 'COMPLETE',
  'stop-sequence': 'STOP_SEQUENCE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
} as const;

/** Tokens of the frame that Cohere puts around a prompt: counted, and not billed. */
const frameTokens = 8;

const planOf = ({ calls }: Answer) => `I will use ${calls.map(({ name }) => name).join(' and ')}.`;

export function writeChat(answer: Answer, plan: boolean): JsonObject {
  const { reasoning, text, calls } = answer;
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  return {
    id: randomUUID(),
    finish_reason: finishReasons[answer.finish],
    message: {
      role: 'assistant',
      ...(content.length > 0 && { content }),
      ...(plan && { tool_plan: planOf(answer) }),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => writeCall(call, JSON.stringify(call.arguments))),
      }),
    },
    usage: writeUsage(answer),
  };
}

export function writeChatStream(answer: Answer, plan: boolean): readonly string[] {
  const events: JsonObject[] = [
    { id: randomUUID(), type: 'message-start', delta: { message: startMessage } },
    ...writeContent(0, 'thinking', answer.reasoning),
    ...writeContent(answer.reasoning === '' ? 0 : 1, 'text', answer.text),
    ...piecesOf(plan ? planOf(answer) : '').map((tool_plan) => {
      return { type: 'tool-plan-delta', delta: { message: { tool_plan } } };
    }),
    ...answer.calls.flatMap(callEvents),
    {
      type: 'message-end',
      delta: { finish_reason: finishReasons[answer.finish], usage: writeUsage(answer) },
    },
  ];
  return events.map((event) => namedEvent(String(event.type), event));
}

const startMessage = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };

function writeContent(index: number, type: 'text' | 'thinking', text: string): readonly JsonObject[] {
  if (text === '') return [];
  const event = (kind: string, content: object) => ({ type: kind, index, delta: { message: { content } } });
  return [
    event('content-start', { type, [type]: '' }),
    ...piecesOf(text).map((piece) => event('content-delta', { [type]: piece })),
    { type: 'content-end', index },
  ];
}

function callEvents(call: SandboxCall, index: number): readonly JsonObject[] {
  const event = (kind: string, tool_calls: object) => ({
    type: kind,
    index,
    delta: { message: { tool_calls } },
  });
  return [
    event('tool-call-start', writeCall(call, '')),
    ...argumentPieces(call.arguments).map((piece) =>
      event('tool-call-delta', { function: { arguments: piece } }),
    ),
    { type: 'tool-call-end', index },
  ];
}

function writeCall({ id, name }: SandboxCall, text: string): JsonObject {
  return { id: `${name}_${id.slice(0, 12)}`, type: 'function', function: { name, arguments: text } };
}

function writeUsage({ usage }: Answer): JsonObject {
  const output_tokens = usage.output + usage.reasoning;
  return {
    billed_units: { input_tokens: usage.input, output_tokens },
    tokens: { input_tokens: usage.input + frameTokens, output_tokens },
    cached_tokens: 0,
  };
}
