/** The blocks of a Messages answer: which deltas fit which, and what a complete one has. */
import { expect } from 'vitest';
import { openSignature } from '../../lib/operations/messages/signature.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A block while it is streamed. */
export interface OpenBlock {
  readonly block: Record<string, unknown>;
  /** The types of its deltas, in order. */
  readonly deltas: string[];
  /** Its input so far, as JSON text. */
  input: string;
}

/** How blocks whose content comes in deltas begin. */
export const beginnings: Readonly<Record<string, Json>> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  tool_use: { id: expect.any(String), name: expect.any(String), input: {} },
  server_tool_use: { id: expect.any(String), name: expect.any(String), input: {} },
};

/** The blocks that each delta fits, and how it is added. */
const deltas: Readonly<
  Record<string, { readonly of: readonly string[]; readonly add: (open: OpenBlock, delta: Json) => void }>
> = {
  text_delta: { of: ['text'], add: ({ block }, { text }) => append(block, 'text', text) },
  citations_delta: {
    of: ['text'],
    add: ({ block }, { citation }) => {
      block.citations = [...((block.citations as Json[] | null | undefined) ?? []), citation];
    },
  },
  thinking_delta: { of: ['thinking'], add: ({ block }, { thinking }) => append(block, 'thinking', thinking) },
  signature_delta: {
    of: ['thinking'],
    add: ({ block, deltas: before }, { signature }) => {
      expect(before, 'a block has one signature').not.toContain('signature_delta');
      append(block, 'signature', signature);
    },
  },
  input_json_delta: {
    of: ['tool_use', 'server_tool_use', 'mcp_tool_use'],
    add(open, { partial_json: piece }) {
      expect(piece).toEqual(expect.any(String));
      open.input += piece;
    },
  },
  compaction_delta: {
    of: ['compaction'],
    add: ({ block }, { content }) => append(block, 'content', content),
  },
};

function append(block: Record<string, unknown>, field: string, piece: unknown): void {
  expect(piece).toEqual(expect.any(String));
  block[field] = String(block[field] ?? '') + piece;
}

export function addDelta(open: OpenBlock, delta: Json): void {
  const type = String(delta.type);
  const known = deltas[type];
  if (!known) throw new Error(`${type} is not a delta of the grammar.`);
  expect(known.of, `${type} fits its block`).toContain(open.block.type);
  expect(open.deltas.at(-1), 'nothing comes after the signature').not.toBe('signature_delta');
  known.add(open, delta);
  open.deltas.push(type);
}

/** A block as it is when it is complete. */
export function checkWhole(block: Json): void {
  if (block.type === 'thinking') expect(block.signature, 'thinking ends with a signature').toBeTruthy();
  if (block.type === 'text') expect(block.text).toEqual(expect.any(String));
  if (block.type === 'tool_use') {
    expect(block).toMatchObject({ id: expect.any(String), name: expect.any(String) });
    const isObject = typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input);
    expect(isObject, 'the input is an object').toBe(true);
  }
}

/** What does not differ between two answers to the same request, for comparing a stream with a body: ids may. */
export const comparable = <Message extends { readonly id: string; readonly content: readonly Json[] }>({
  id: _,
  ...message
}: Message): object => ({
  ...message,
  content: message.content.map(({ id: __, tool_use_id: ___, signature, ...block }) => ({
    ...block,
    ...(signature !== undefined && { signature: comparableSignature(String(signature)) }),
  })),
});

/** One of ours names calls, whose ids may be random. */
function comparableSignature(signature: string): unknown {
  const opened = openSignature(signature);
  return opened ? { ...opened, details: opened.details.map(({ id: _, ...detail }) => detail) } : signature;
}
