/**
 * Tool calls as blocks. Arguments are passed on as they come. What does not begin as an object is held: some hosts send `null`
 * for no arguments, or the object as a text, which is repaired when all of it is there. Anything else that is no object breaks
 * the answer, so that no call is made with arguments that the model did not give.
 */
import { GatewayError } from '../../../core/errors/errors.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import { encodeToolCallId } from '../../../core/generation/tools/tool-call-id.ts';
import { createObjectEnd, type ObjectEnd } from '../../object-end.ts';
import type { Block, Blocks } from './blocks.ts';

interface Call {
  readonly name: string;
  readonly block: Block;
  text: string;
  /** Undefined until something other than white space has come. */
  beginsAsObject: boolean | undefined;
  /** Follows the text from the moment when another block waits for it. */
  end: ObjectEnd | undefined;
}

export function createCalls(blocks: Blocks) {
  const calls = new Map<number, Call>();
  return {
    open(number: number, id: string, name: string) {
      const start = { type: 'tool_use', id: encodeToolCallId(id), name, input: {} };
      const block = blocks.add(start, () => isWhole(call));
      const call: Call = { name, block, text: '', beginsAsObject: undefined, end: undefined };
      calls.set(number, call);
    },
    add(number: number, text: string) {
      const call = calls.get(number);
      if (!call || text === '') return;
      call.text += text;
      call.end?.add(text);
      if (call.block.isClosed) return;
      if (call.beginsAsObject) blocks.delta(call.block, inputDelta(text));
      else if (call.beginsAsObject === undefined) begin(blocks, call, text);
    },
    count: () => calls.size,
    /**
     * Ends all. Returns whether each has its whole input. `isCut`: the answer was cut, so that one may have a part of it, or nothing
     * yet.
     *
     * @throws GatewayError `upstream_invalid_call` for another input, unless it was cut.
     */
    end(isCut: boolean) {
      let areWhole = true;
      for (const call of calls.values()) {
        const input = inputOf(call);
        if (input === undefined && !isCut) throw invalidCall(call);
        areWhole &&= input !== undefined && !(isCut && isEmpty(input));
        endCall(blocks, call, input ?? call.text);
      }
      return areWhole;
    },
  };
}

const invalidCall = ({ name }: Call) =>
  new GatewayError(
    'upstream_invalid_call',
    `The model called the tool '${name}' with an input that is not a JSON object.`,
  );

const inputDelta = (text: string) => `{"type":"input_json_delta","partial_json":${JSON.stringify(text)}}`;

function begin(blocks: Blocks, call: Call, text: string): void {
  const [first] = text.trimStart();
  if (first === undefined) return;
  call.beginsAsObject = first === '{';
  if (call.beginsAsObject) blocks.delta(call.block, inputDelta(call.text));
}

function isWhole(call: Call): boolean {
  if (!call.beginsAsObject) return false;
  if (!call.end) {
    call.end = createObjectEnd();
    call.end.add(call.text);
  }
  return call.end.isReached();
}

/** The object, as JSON text; undefined if it is none. */
function inputOf({ text, beginsAsObject }: Call): string | undefined {
  if (!beginsAsObject) return objectText(text);
  return isJsonObject(parseJson(text)) ? text : undefined;
}

const isEmpty = (input: string) => /^\s*\{\s*\}\s*$/.test(input);

function endCall(blocks: Blocks, { block, beginsAsObject }: Call, input: string): void {
  if (block.isClosed) return;
  if (!beginsAsObject && input !== '') blocks.delta(block, inputDelta(input));
  blocks.end(block);
}

/** The object that a text stands for that does not begin as one; undefined: it stands for none. */
function objectText(text: string): string | undefined {
  if (text.trim() === '') return '{}';
  const value = parseJson(text);
  if (value === null) return '{}';
  return typeof value === 'string' && isJsonObject(parseJson(value)) ? value : undefined;
}
