/** Small pieces of the OpenAI Responses protocol, and a function to decode them. */
import { createOpenaiResponses } from '../../../lib/protocols/openai-responses/protocol.ts';
import { decodeFrames, joined, toFrames } from '../answer.ts';

export type Json = Readonly<Record<string, unknown>>;

export const format = 'sample-responses-v1';
export const protocol = createOpenaiResponses({ reasoningFormat: format, reasonerSystemRole: 'developer' });

export const decode = (...events: readonly Json[]) => joined(decodeFrames(protocol, toFrames(events)));
export const decodeBody = (body: Json) => joined(protocol.decodeBody(body));

export const usage: Json = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 15,
};

export const response = (output: readonly Json[], parts: Json = {}): Json => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output,
  usage,
  ...parts,
});

export const created: Json = {
  type: 'response.created',
  response: { id: 'resp_1', status: 'in_progress', output: [], service_tier: 'auto' },
};
export const added = (output_index: number, item: Json): Json => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
export const done = (output_index: number, item: Json): Json => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
export const completed = (...output: readonly Json[]): Json => ({
  type: 'response.completed',
  response: response(output),
});
/** An event of the item at a position. */
export const itemEvent = (type: string, output_index: number, fields: Json): Json => ({
  type: `response.${type}`,
  output_index,
  item_id: 'any',
  ...fields,
});

export const message = (text: string, parts: Json = {}): Json => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...parts,
});
export const functionCall = (call_id: string, name: string, text: string): Json => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: text,
  status: 'completed',
});
export const reasoning = (summaries: readonly string[], parts: Json = {}): Json => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: summaries.map((text) => ({ type: 'summary_text', text })),
  ...parts,
});
