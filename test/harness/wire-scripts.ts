/** One row for each wire that the stream suites run on, and the answers they play on it. */
import { anthropicScript } from './wires/anthropic.ts';
import { bedrockScript } from './wires/bedrock.ts';
import { cohereScript } from './wires/cohere.ts';
import { googleScript } from './wires/google.ts';
import { openaiScript } from './wires/openai.ts';
import { openaiResponsesScript } from './wires/openai-responses.ts';
import type { Counts, Step, WireScript } from './wires/step.ts';

export type { Counts, Step, WireScript } from './wires/step.ts';

export const wireScripts: readonly WireScript[] = [
  openaiScript,
  anthropicScript,
  googleScript,
  bedrockScript,
  cohereScript,
];

/** The wires of the Responses operation: its own, which OpenAI has beside the other; and those it is translated to. */
export const responseScripts: readonly WireScript[] = [
  openaiResponsesScript,
  { ...openaiScript, wire: 'deepseek', model: 'deepseek/deepseek-flash' },
  ...wireScripts.filter((script) => script !== openaiScript),
];

export interface WireAndForm {
  readonly wire: string;
  readonly form: 'streamed' | 'whole';
  readonly stream: boolean;
  readonly script: WireScript;
}

/** Each wire, streamed and not. */
export const inBothForms = (scripts: readonly WireScript[]): readonly WireAndForm[] =>
  scripts.flatMap((script): WireAndForm[] => [
    { wire: script.wire, form: 'streamed', stream: true, script },
    { wire: script.wire, form: 'whole', stream: false, script },
  ]);

export const wiresAndForms = inBothForms(wireScripts);
export const responseWiresAndForms = inBothForms(responseScripts);

export const counts: Counts = { input: 7, output: 3 };

/** `counts` as a caller sees them. */
export const publicCounts = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

export const start: Step = { type: 'start' };
export const end: Step = { type: 'end' };
export const ping: Step = { type: 'ping' };
export const text = (text: string): Step => ({ type: 'text', text });
export const reasoning = (text: string): Step => ({ type: 'reasoning', text });
export const call = (call: number, name: string): Step => ({ type: 'call', call, id: `call_${call}`, name });
export const argument = (call: number, text: string): Step => ({ type: 'arguments', call, text });
export const finish = { type: 'finish', reason: 'stop', usage: counts } as const satisfies Step;

/** A short plain answer. */
export const hello: readonly Step[] = [start, text('Hel'), text('lo'), finish, end];
