/** Decides what the sandbox answers: the same for every provider, from the neutral reading of a request. */
import { decideCalls, unanswered } from './calls.ts';
import { followExample, followMarkers, followSchema } from './described-json.ts';
import type { Answer, Citation, Prompt, SandboxCall, WebSearch } from './exchange.ts';
import { sampleOf } from './schema-sample.ts';
import { citePages, searchWeb } from './web.ts';

/** How much of a text the sandbox repeats, in characters. */
const echoLength = 160;

/** Text of this many characters counts as one token. */
const charactersPerToken = 4;

/** What an image counts, in tokens. */
const imageTokens = 85;

/** What a document counts, in tokens. */
const fileTokens = 1_500;
const audioTokens = 320;

/** No stream of the sandbox has more pieces of text than this. */
const maxPieces = 40;

export function decide(prompt: Prompt): Answer {
  const calls = decideCalls(prompt);
  const reasoning = prompt.reasoning ? `The last message says: ${echo(prompt.lastUserText)}` : '';
  const searches = prompt.search && prompt.toolResults.length === 0;
  const search = searches ? searchWeb(echo(prompt.lastUserText)) : undefined;
  const said = calls.length > 0 ? { text: '', citations: [] } : decideText(prompt, search);
  return holdToLimits(prompt, { reasoning, search, ...said, calls });
}

/** What the whole input counts, in tokens. */
export function countInput({ input, images, files, played = 0 }: Prompt): number {
  return countTokens(input) + images * imageTokens + files * fileTokens + played * audioTokens;
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Cuts a text into the pieces of a stream, at spaces. */
export function piecesOf(text: string): readonly string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const size = Math.ceil(words.length / maxPieces);
  const count = size === 0 ? 0 : Math.ceil(words.length / size);
  return Array.from({ length: count }, (_, index) => words.slice(index * size, (index + 1) * size).join(''));
}

/** The arguments of a call as a stream writes them: JSON text in two parts, cut in the middle. */
export function argumentPieces(input: unknown): readonly [string, string] {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

type Prose = Pick<Answer, 'text' | 'citations'>;

/** Only prose cites. */
function decideText(prompt: Prompt, search: WebSearch | undefined): Prose {
  const value = decideJson(prompt);
  if (value === undefined) {
    const marked = followMarkers(prompt.lastUserText);
    if (marked !== undefined) return { text: marked, citations: [] };
    return citePages(prose(prompt), search?.sources ?? []);
  }
  return { text: JSON.stringify(value), citations: [] };
}

function decideJson({ provider, model, format, input, lastUserText }: Prompt): unknown {
  if (typeof format === 'object') return sampleOf(format.schema);
  const described = followSchema(input);
  if (described !== undefined || format === 'text') return described;
  return followExample(input) ?? { sandbox: provider, model, echo: echo(lastUserText) };
}

function prose(prompt: Prompt): string {
  const { provider, model, images, files, played = 0, toolResults } = prompt;
  const parts = [`This is the ${provider} sandbox, in place of ${model}.`];
  if (toolResults.length > 0) parts.push(`The function answered: ${toolResults.map(echo).join('; ')}`);
  else parts.push(`You said: ${echo(prompt.lastUserText)}`, ...unanswered(prompt));
  if (images > 0) parts.push(`I was shown ${counted(images, 'image')}.`);
  if (files > 0) parts.push(`I was shown ${counted(files, 'document')}.`);
  if (played > 0) parts.push(`I was played ${counted(played, 'recording')}.`);
  return parts.join(' ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function echo(text: string): string {
  return text.length > echoLength ? `${whole(text.slice(0, echoLength))}…` : text;
}

type Draft = Pick<Answer, 'reasoning' | 'search' | 'text' | 'citations' | 'calls'>;

/** Holds the draft to the caller's stop sequences and token limit, and counts it. */
function holdToLimits(prompt: Prompt, draft: Draft): Answer {
  const limit = (prompt.maxTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken;
  const reasoning = whole(draft.reasoning.slice(0, limit));
  const left = limit - countTokens(reasoning) * charactersPerToken;
  const calls = callsLength(draft.calls) <= left ? draft.calls : [];
  const stopped = cutAtStop(draft.text, prompt.stop);
  const text = whole(stopped.text.slice(0, left));
  const cut = reasoning !== draft.reasoning || calls !== draft.calls || text !== stopped.text;
  return {
    reasoning,
    search: draft.search,
    text,
    citations: draft.citations.filter(({ end }: Citation) => end <= text.length),
    calls,
    finish: cut ? 'length' : finishOf(calls, stopped.sequence),
    ...(cut ? {} : { stopSequence: stopped.sequence }),
    usage: {
      input: countInput(prompt),
      audio: (prompt.played ?? 0) * audioTokens,
      output: countTokens(text) + Math.ceil(callsLength(calls) / charactersPerToken),
      reasoning: countTokens(reasoning),
    },
  };
}

function finishOf(calls: readonly SandboxCall[], sequence: string | undefined): Answer['finish'] {
  if (calls.length > 0) return 'tool-calls';
  return sequence === undefined ? 'stop' : 'stop-sequence';
}

function cutAtStop(text: string, stop: readonly string[]): { text: string; sequence?: string } {
  const found = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ sequence, at }) => sequence !== '' && at >= 0)
    .sort((one, other) => one.at - other.at)[0];
  return found === undefined ? { text } : { text: text.slice(0, found.at), sequence: found.sequence };
}

function callsLength(calls: readonly SandboxCall[]): number {
  return calls.reduce((sum, call) => sum + call.name.length + JSON.stringify(call.arguments).length, 0);
}

/** Without half of a character at the end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
