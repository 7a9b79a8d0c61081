/** Steps in OpenAI's Responses protocol, which only `POST /v1/responses` uses. */

import { type BlockPiece, withBlocks } from './blocks.ts';
import { responseBody } from './openai-response-body.ts';
import { argumentsOf, type Counts, foldSteps, type ProtocolScript, type Step, sse } from './step.ts';

const message = 'The server had an error.';
const error = { type: 'server_error', code: 'server_error', message, param: null };

const usageOf = ({ input, output }: Counts) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

/** An event without its number. */
type Draft = readonly [type: string, fields: object];

function stream(steps: readonly Step[]): readonly Uint8Array[] {
  const items = new Map<number, object>();
  let count = 0;
  return withBlocks(steps).flatMap((step) => {
    const written =
      'at' in step ? writePiece(step, steps, items) : writeStep(step, steps, [...items.values()]);
    return written.map((one) => {
      if (one instanceof Uint8Array) return one;
      const [type, fields] = one;
      return sse({ type, sequence_number: count++, ...fields }, type);
    });
  });
}

function writeStep(
  step: Step,
  steps: readonly Step[],
  output: readonly object[],
): readonly (Draft | Uint8Array)[] {
  switch (step.type) {
    case 'start':
      return ['created', 'in_progress'].map((name) => [
        `response.${name}`,
        { response: responseBody('in_progress') },
      ]);
    case 'ping':
      return [Buffer.from(': ping\n\n')];
    case 'finish': {
      const last = endOf(steps, output);
      return [[`response.${last.status}`, { response: last }]];
    }
    case 'error':
      return [
        ['error', { error }],
        ['response.failed', { response: responseBody('failed', { error: { code: error.code, message } }) }],
      ];
    case 'malformed':
      return [sse('{"type": "response.output_text.delta", "del', 'response.output_text.delta')];
    default:
      return [];
  }
}

const texts = {
  text: {
    id: 'msg',
    part: 'output_text',
    indexField: 'content_index',
    events: ['content_part', 'output_text'],
  },
  reasoning: {
    id: 'rs',
    part: 'summary_text',
    indexField: 'summary_index',
    events: ['reasoning_summary_part', 'reasoning_summary_text'],
  },
} as const;

/** `items`: what is done so far. */
function writePiece(piece: BlockPiece, steps: readonly Step[], items: Map<number, object>): readonly Draft[] {
  if (piece.kind === 'call') return writeCall(piece, steps, items);
  const { at, index, kind, step } = piece;
  const { id, part, indexField, events } = texts[kind];
  const [ofPart, ofText] = events;
  const own = { item_id: `${id}_${index}`, output_index: index, [indexField]: 0 };
  const began = textItem(kind, index, 'in_progress');
  if (at === 'open') {
    return [
      ['response.output_item.added', { output_index: index, item: began }],
      [`response.${ofPart}.added`, { ...own, part: { type: part, text: '' } }],
    ];
  }
  if (at === 'piece')
    return [[`response.${ofText}.delta`, { ...own, delta: 'text' in step ? step.text : '' }]];
  const text = textOfBlock(steps, index);
  const item = textItem(kind, index, 'completed', text);
  items.set(index, item);
  return [
    [`response.${ofText}.done`, { ...own, text }],
    [`response.${ofPart}.done`, { ...own, part: { type: part, text } }],
    ['response.output_item.done', { output_index: index, item }],
  ];
}

/** All that was said in one block. */
function textOfBlock(steps: readonly Step[], index: number): string {
  const pieces = withBlocks(steps).flatMap((one) =>
    'at' in one && one.at === 'piece' && one.index === index ? [one.step] : [],
  );
  return pieces.map((step) => ('text' in step ? step.text : '')).join('');
}

function textItem(kind: 'text' | 'reasoning', index: number, status: string, text?: string): object {
  const parts = text === undefined ? [] : [{ type: texts[kind].part, text }];
  if (kind === 'reasoning') return { id: `rs_${index}`, type: 'reasoning', summary: parts };
  const content = parts.map((part) => ({ ...part, annotations: [], logprobs: [] }));
  return { id: `msg_${index}`, type: 'message', status, role: 'assistant', content };
}

function writeCall(
  { at, index, step }: BlockPiece,
  steps: readonly Step[],
  items: Map<number, object>,
): readonly Draft[] {
  const own = { item_id: `fc_${index}`, output_index: index };
  if (at === 'piece') {
    const delta = 'text' in step ? step.text : '';
    return [['response.function_call_arguments.delta', { ...own, delta }]];
  }
  if (at === 'open' && step.type === 'call') {
    const item = callItem(index, 'in_progress', { ...step, arguments: '' });
    items.set(index, { ...item, status: 'completed', arguments: argumentsOf(steps, step.call) });
    return [['response.output_item.added', { output_index: index, item }]];
  }
  const item = items.get(index) ?? {};
  return [
    [
      'response.function_call_arguments.done',
      { ...own, arguments: 'arguments' in item ? item.arguments : '' },
    ],
    ['response.output_item.done', { output_index: index, item }],
  ];
}

interface CallSaid {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

function callItem(index: number, status: string, { id: call_id, name, arguments: text }: CallSaid): object {
  return { id: `fc_${index}`, type: 'function_call', status, call_id, name, arguments: text };
}

function endOf(steps: readonly Step[], output: readonly object[]) {
  const { reason, usage } = foldSteps(steps);
  const cut = reason === 'length';
  return responseBody(cut ? 'incomplete' : 'completed', {
    output,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    usage: usage ? usageOf(usage) : null,
  });
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls } = foldSteps(steps);
  const items = [
    ...(reasoning === '' ? [] : [(index: number) => textItem('reasoning', index, 'completed', reasoning)]),
    ...(text === '' ? [] : [(index: number) => textItem('text', index, 'completed', text)]),
    ...calls.map((call) => (index: number) => callItem(index, 'completed', call)),
  ];
  return endOf(
    steps,
    items.map((item, index) => item(index)),
  );
}

export const openaiResponsesScript: ProtocolScript = {
  protocol: 'openai',
  model: 'openai/gpt-4.1-mini',
  streamType: 'text/event-stream',
  endsWithFinish: true,
  piecewiseArguments: true,
  stream,
  body,
  errorBody: { error },
};
