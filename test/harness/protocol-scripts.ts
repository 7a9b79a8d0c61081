/** One row for each protocol of the stream suites, with the answers that they send in it. */
import { anthropicScript } from './protocols/anthropic.ts';
import { bedrockScript } from './protocols/bedrock.ts';
import { cohereScript } from './protocols/cohere.ts';
import { googleScript } from './protocols/google.ts';
import { openaiScript } from './protocols/openai.ts';
import { openaiResponsesScript } from './protocols/openai-responses.ts';
import type { Counts, ProtocolScript, Step } from './protocols/step.ts';

export type { Counts, ProtocolScript, Step } from './protocols/step.ts';

export const protocolScripts: readonly ProtocolScript[] = [
  openaiScript,
  anthropicScript,
  googleScript,
  bedrockScript,
  cohereScript,
];

/** The protocols of the Responses operation: its own, which OpenAI has besides chat, and those it is translated to. */
export const responseScripts: readonly ProtocolScript[] = [
  openaiResponsesScript,
  { ...openaiScript, protocol: 'deepseek', model: 'deepseek/deepseek-flash' },
  ...protocolScripts.filter((script) => script !== openaiScript),
];

export interface ProtocolAndForm {
  readonly protocol: string;
  readonly form: 'streamed' | 'whole';
  readonly stream: boolean;
  readonly script: ProtocolScript;
}

/** Each protocol, streamed and not. */
export const inBothForms = (scripts: readonly ProtocolScript[]): readonly ProtocolAndForm[] =>
  scripts.flatMap((script): ProtocolAndForm[] => [
    { protocol: script.protocol, form: 'streamed', stream: true, script },
    { protocol: script.protocol, form: 'whole', stream: false, script },
  ]);

export const protocolsAndForms = inBothForms(protocolScripts);
export const responseProtocolsAndForms = inBothForms(responseScripts);

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

/** Two calls whose arguments come in turns. */
export const interleavedCalls: readonly Step[] = [
  call(0, 'get_weather'),
  argument(0, '{"city":'),
  call(1, 'get_time'),
  argument(1, '{"ci'),
  argument(0, '"Oslo"'),
  argument(1, 'ty":"Rome"'),
  argument(0, '}'),
  argument(1, '}'),
];

/** A short plain answer. */
export const hello: readonly Step[] = [start, text('Hel'), text('lo'), finish, end];
