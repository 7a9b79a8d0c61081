/** The two forms of a message in Anthropic's own words: its body, and the events of its stream. Each is made of the other. */
import { exactJson } from '../../../core/formats/exact-json.ts';
import { asArray, asObject, isJsonObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';

interface OriginalEvent extends JsonObject {
  readonly type: string;
}

/** The members of a body that its stream has at its end. */
const lastMembers = ['stop_reason', 'stop_sequence', 'stop_details', 'container'];

/** Those that stand beside `delta`. */
const besideDelta = ['context_management'];

const pick = (names: readonly string[], from: JsonObject): JsonObject =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

/** What some hosts answer with one body, as the stream that was asked for. */
export function eventsOfMessage(message: JsonObject): readonly OriginalEvent[] {
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
  const blocks = asArray(message.content).flatMap((block, index) => eventsOfBlock(asObject(block), index));
  return [
    { type: 'message_start', message: begun },
    ...blocks,
    {
      type: 'message_delta',
      delta: pick(lastMembers, message),
      usage: asObject(message.usage),
      ...pick(besideDelta, message),
    },
    { type: 'message_stop' },
  ];
}

function eventsOfBlock(block: JsonObject, index: number): readonly OriginalEvent[] {
  const { start, deltas } = inPieces(block);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** Clients take what a block has at its beginning for its beginning: texts and inputs come in deltas. */
function inPieces(block: JsonObject): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '', ...(Array.isArray(block.citations) && { citations: [] }) },
        deltas: [
          { type: 'text_delta', text: block.text },
          ...asArray(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
        ],
      };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...(block.thinking === '' ? [] : [{ type: 'thinking_delta', thinking: block.thinking }]),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
    case 'server_tool_use':
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}

interface FoldedBlock {
  readonly block: Record<string, unknown>;
  input: string;
}

/** A stream as the body that was asked for. */
export function foldMessage() {
  let message: JsonObject = {};
  const blocks = new Map<unknown, FoldedBlock>();
  return {
    add(event: JsonObject) {
      if (event.type === 'message_start') message = asObject(event.message);
      if (event.type === 'content_block_start') {
        blocks.set(event.index, { block: { ...asObject(event.content_block) }, input: '' });
      }
      if (event.type === 'content_block_delta') addDelta(blocks.get(event.index), asObject(event.delta));
      if (event.type === 'message_delta') message = ended(message, event);
    },
    /** Call it when the stream has ended. */
    message: (): JsonObject => ({ ...message, content: [...blocks.values()].map(finished) }),
  };
}

function ended(message: JsonObject, { type: _, delta, usage, ...others }: JsonObject): JsonObject {
  const before = asObject(message.usage);
  // A count that is not repeated is null.
  const counted = Object.entries(asObject(usage)).filter(
    ([name, value]) => value !== null || !(name in before),
  );
  const counts = { ...before, ...Object.fromEntries(counted) };
  return { ...message, ...asObject(delta), ...others, usage: counts };
}

/** A text is added to the one before; anything else takes its place. */
function addDelta(folded: FoldedBlock | undefined, { type: _, ...delta }: JsonObject): void {
  if (!folded) return;
  const { block } = folded;
  for (const [name, value] of Object.entries(delta)) {
    const known = block[name];
    if (name === 'partial_json') folded.input += value;
    else if (name === 'citation') block.citations = [...asArray(block.citations), value];
    else block[name] = typeof known === 'string' && typeof value === 'string' ? known + value : value;
  }
}

function finished({ block, input }: FoldedBlock): JsonObject {
  return input === '' ? block : { ...block, input: inputOf(input) };
}

/**
 * The input of a call that was cut is no object: it is shown as it is, under the name by which Anthropic's documents hand such an
 * input back. Source: platform.claude.com/docs, "Fine-grained tool streaming".
 */
function inputOf(text: string): JsonObject {
  const input = exactJson(text, parseJson(text));
  return isJsonObject(input) ? input : { INVALID_JSON: text };
}
