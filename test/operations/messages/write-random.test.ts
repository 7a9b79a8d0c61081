/** Any order of events gives a message by the grammar, streamed and as a body alike, in which nothing is lost but thinking at its end. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { argument, call, counted, finish, reasoning, start, text, written } from './writing.ts';

const choice = 0;
const base = { index: 0 };
const detailOf: Readonly<Record<string, ReasoningDetail>> = {
  gemini: { ...base, type: 'reasoning.encrypted', data: 'g', format: 'google-gemini-v1', id: 'call_1' },
  openai: { ...base, type: 'reasoning.summary', summary: 's', format: 'openai-responses-v1', id: 'rs_1' },
  text: { ...base, type: 'reasoning.text', text: 't', format: 'deepseek' },
  claude: { ...base, type: 'reasoning.text', text: 't', signature: 'c', format: 'anthropic-claude-v1' },
  unsigned: { ...base, type: 'reasoning.text', text: 't', format: 'anthropic-claude-v1' },
  redacted: { ...base, type: 'reasoning.encrypted', data: 'r', format: 'anthropic-claude-v1' },
};
const action = { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://one.example/' }] };
const cited = { url: 'https://one.example/', title: '', start_index: 0, end_index: 3 };

const others: readonly GenerationEvent[] = [
  { type: 'message', choice },
  { type: 'refusal', choice, text: 'No.' },
  { type: 'web-search', choice, search: 0 },
  { type: 'web-search-end', choice, search: 0, status: 'completed', action },
  { type: 'web-search-end', choice, search: 0, status: 'failed', action: { type: 'open_page' } },
  { type: 'annotation', choice, annotation: { type: 'url_citation', url_citation: cited } },
  { type: 'logprobs', choice, content: [], refusal: [] },
  { type: 'text', choice: 1, text: 'of another choice' },
  ...Object.values(detailOf).map((detail) => ({ type: 'reasoning-detail', choice, detail }) as const),
];

/** A piece of the answer; a number takes the next piece of that call, which begins with its first. */
const step = fc.oneof(
  fc.constantFrom('a', 'é🙂', '').map(text),
  fc.constantFrom('b', '').map(reasoning),
  fc.constantFrom(...others),
  fc.nat({ max: 4 }),
  fc.nat({ max: 4 }),
);

const pieces = ['{"a"', ':"}', '{\\"', '"', '', ',"b":[{}]}'];

function eventsOf(steps: readonly (GenerationEvent | number)[]): readonly GenerationEvent[] {
  /** For each call in the order in which they begin: the number of its pieces so far. */
  const begun = new Map<number, { readonly number: number; given: number }>();
  const events = steps.flatMap((one) => {
    if (typeof one !== 'number') return [one];
    const known = begun.get(one);
    if (known) {
      const piece = pieces[known.given];
      known.given += 1;
      return piece === undefined ? [] : [argument(known.number, piece)];
    }
    const number = begun.size;
    begun.set(one, { number, given: 0 });
    return [call(number)];
  });
  const rests = [...begun.values()].flatMap(({ number, given }) =>
    pieces.slice(given).map((piece) => argument(number, piece)),
  );
  return [...events, ...rests];
}

const textIn = (events: readonly GenerationEvent[], type: 'text' | 'reasoning') =>
  events.map((event) => (event.type === type && event.choice === 0 ? event.text : '')).join('');

/** What gets a block of another kind than thinking. */
const isAnswer = (event: GenerationEvent): boolean =>
  event.type === 'tool-call' ||
  (event.type === 'web-search-end' && event.status === 'completed') ||
  (event.type === 'text' && event.choice === 0 && event.text !== '');

/** Without what comes after the last block of another kind. */
function followed(events: readonly GenerationEvent[]): readonly GenerationEvent[] {
  const last = events.findLastIndex(isAnswer);
  return last < 0 ? events : events.slice(0, last);
}

test.each(['all', 'signatures', 'none'] as const)('thinking shown: %s', async (thinking) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const events = eventsOf(steps);
      const { content, stop_reason } = await written([start, ...events, finish(), counted], { thinking });
      const said = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      expect(said).toBe(textIn(events, 'text'));
      const thought = content.map((block) => block.thinking ?? '').join('');
      if (thinking === 'all')
        expect(thought.replaceAll('\n\n', '')).toBe(textIn(followed(events), 'reasoning'));
      const last = content.at(-1)?.type ?? '';
      if (events.some(isAnswer)) expect(['text', 'tool_use', 'web_search_tool_result']).toContain(last);
      if (thinking === 'none') expect(JSON.stringify(content)).not.toMatch(/thinking/);
      const calls = content.filter(({ type }) => type === 'tool_use');
      const given = events.filter(({ type }) => type === 'tool-call');
      expect(calls.map(({ name }) => name)).toEqual(given.map((_, number) => `tool_${number}`));
      for (const { input } of calls) expect(input).toEqual({ a: '}{"', b: [{}] });
      expect(stop_reason === 'tool_use').toBe(calls.length > 0);
      expect(content.every((block) => block.type !== 'text' || block.text !== '')).toBe(true);
    }),
    { numRuns: 300 },
  );
});
