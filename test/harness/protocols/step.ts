/** What a provider answers in a test, independent of the protocol; each protocol's script encodes the same steps. */

export interface Counts {
  readonly input: number;
  readonly output: number;
}

export type Step =
  /** The beginning; some protocols count the prompt here. */
  | { readonly type: 'start'; readonly usage?: Counts }
  | { readonly type: 'ping' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: number; readonly id: string; readonly name: string }
  | { readonly type: 'arguments'; readonly call: number; readonly text: string }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'calls'; readonly usage?: Counts }
  /** The protocol's end mark; nothing in protocols without one. */
  | { readonly type: 'end' }
  /** A failure of the provider, sent inside the stream. */
  | { readonly type: 'error' }
  /** A frame that cannot be read. */
  | { readonly type: 'malformed' };

export interface ProtocolScript {
  /** The provider whose upstream URL is taken. */
  readonly protocol: string;
  /** A model whose first deployment has the protocol. */
  readonly model: string;
  readonly streamType: string;
  /** Whether a stream may do without its end mark, because the finish says enough. */
  readonly endsWithFinish: boolean;
  /** Whether arguments of a call may come in pieces. */
  readonly piecewiseArguments: boolean;
  /** The frames of a stream. */
  readonly stream: (steps: readonly Step[]) => readonly Uint8Array[];
  /** The same as one body. */
  readonly body: (steps: readonly Step[]) => object;
  /** An error instead of a body. */
  readonly errorBody: object;
}

type StepOf<Type extends Step['type']> = Extract<Step, { type: Type }>;

function stepsOf<Type extends Step['type']>(steps: readonly Step[], type: Type): StepOf<Type>[] {
  return steps.filter((step): step is StepOf<Type> => step.type === type);
}

/** A whole answer, folded from steps: for protocols whose bodies list what their streams send piece by piece. */
interface FoldedAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly reason: StepOf<'finish'>['reason'];
  readonly usage: Counts | undefined;
}

export function foldSteps(steps: readonly Step[]): FoldedAnswer {
  const join = (type: 'text' | 'reasoning') =>
    stepsOf(steps, type)
      .map(({ text }) => text)
      .join('');
  const finish = stepsOf(steps, 'finish')[0];
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: stepsOf(steps, 'call').map(({ call, id, name }) => ({
      id,
      name,
      arguments: argumentsOf(steps, call),
    })),
    reason: finish?.reason ?? 'stop',
    usage: finish?.usage ?? stepsOf(steps, 'start')[0]?.usage,
  };
}

/** All arguments of one call; an empty object where there are none. */
export function argumentsOf(steps: readonly Step[], call: number): string {
  const texts = stepsOf(steps, 'arguments').filter((step) => step.call === call);
  return texts.map(({ text }) => text).join('') || '{}';
}

export function sse(data: object | string, event?: string): Uint8Array {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
}
