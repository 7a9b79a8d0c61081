/**
 * Holds an answer back until its rules have looked at it: in windows, or as a whole. What was found in what is held never leaves; with a
 * rule that blocks, the answer ends there, and the call of the provider with it.
 */
import { type Piped, pipe } from '../../async/pipe.ts';
import { usageOf } from '../../core/accounting/ledger.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Detection } from '../../core/guardrails/detection.ts';
import { joinRanges } from './edits.ts';
import { type Asked, createHeldChoice, type HeldChoice } from './held-choice.ts';
import { originalEnding } from './original-ending.ts';
import { type ActiveRule, detect, hasFound, isLocal, type Session } from './session.ts';

/** What is looked at in one call, in characters: with what is held of the call before, one unit of Bedrock's. */
const windowLength = 800;

/** After so many calls of a detector outside the gateway the rest is looked at as a whole. */
const maxWindows = 50;

export function guardOutput(
  events: Piped<GenerationEvent>,
  session: Session,
  rules: readonly ActiveRule[],
): Piped<GenerationEvent> {
  return pipe(guarded(events, session, rules), {
    each(list, out: GenerationEvent[]) {
      for (const event of list) out.push(event);
    },
  });
}

/** No generator: one that waits for its source cannot be ended. */
function guarded(
  events: Piped<GenerationEvent>,
  session: Session,
  rules: readonly ActiveRule[],
): AsyncIterable<readonly GenerationEvent[]> {
  const source = events[Symbol.asyncIterator]();
  const window = windowOf(rules);
  const isHeld = window !== undefined;
  const mostWindows = rules.every(isLocal) ? Number.POSITIVE_INFINITY : maxWindows;
  const choices = new Map<number, HeldChoice>();
  const ending = originalEnding();
  let windows = 0;
  let isDone = false;

  const choiceAt = (index: number): HeldChoice => {
    const known = choices.get(index);
    if (known) return known;
    const choice = createHeldChoice(session.tags.tagFor);
    choices.set(index, choice);
    return choice;
  };
  const take = (event: GenerationEvent, out: GenerationEvent[]) => {
    // Its texts would leave before the text that they are of.
    if (isHeld && (event.type === 'logprobs' || isPiece(event))) return;
    if ('choice' in event) choiceAt(event.choice).add(event);
    if (!isHeld || !('choice' in event)) out.push(event);
  };
  const isDue = (choice: HeldChoice, isEnd: boolean): boolean => {
    if (isEnd || choice.isFinished()) return true;
    return isHeld && windows < mostWindows && choice.unseen() >= window;
  };
  const leave = async (isEnd: boolean, out: GenerationEvent[]): Promise<'blocked' | undefined> => {
    for (const [index, choice] of choices) {
      if (!isDue(choice, isEnd)) continue;
      const isLast = isEnd || choice.isFinished();
      windows += 1;
      if (await look(session, rules, choice.asked(isLast))) return 'blocked';
      const released: GenerationEvent[] = [];
      choice.release(released);
      if (isHeld) out.push(...released);
      if (isLast) choices.delete(index);
    }
    return undefined;
  };
  const block = async (out: GenerationEvent[]) => {
    isDone = true;
    await source.return?.();
    session.facts.finishReasons = ['content_filter'];
    const usage = usageOf(session.facts);
    const open = choices.size > 0 ? [...choices.keys()] : [0];
    const body = choices.get(0)?.wholeBody();
    // What has no text, such as the beginning of a message.
    for (const choice of choices.values()) {
      choice.cut();
      choice.release(out);
    }
    for (const event of out) ending.see(event);
    out.push(...ending.events(body, usage?.completionTokens ?? 0));
    for (const choice of open) out.push({ type: 'finish', choice, reason: 'content_filter' });
    if (usage) out.push({ type: 'usage', usage });
  };
  const step = async (): Promise<readonly GenerationEvent[]> => {
    const { done = false, value = [] } = await source.next();
    const out: GenerationEvent[] = [];
    if (done) isDone = true;
    for (const event of value) take(event, out);
    if ((await leave(done, out)) === 'blocked') await block(out);
    for (const event of out) ending.see(event);
    return out;
  };
  const close = async () => {
    isDone = true;
    await source.return?.();
    return { done: true as const, value: undefined };
  };
  const iterator: AsyncIterator<readonly GenerationEvent[]> = {
    async next() {
      while (!isDone) {
        const list = await step().catch(async (error) => {
          await close();
          throw error;
        });
        if (list.length > 0) return { done: false, value: list };
      }
      return { done: true, value: undefined };
    },
    return: close,
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Of an item of the provider's: it leaves only whole, and its end has all of it. */
const isPiece = (event: GenerationEvent): boolean =>
  event.type === 'protocol-item-event' && typeof event.body.delta === 'string';

/** After how many characters the rules look; undefined: nothing is held, and they look at the end. */
function windowOf(rules: readonly ActiveRule[]): number | undefined {
  const holding = rules.filter(({ action }) => action !== 'flag');
  if (holding.length === 0) return undefined;
  if (holding.some(({ policy }) => policy.output === 'whole')) return Number.POSITIVE_INFINITY;
  return rules.every(isLocal) ? 1 : windowLength;
}

/** Whether a rule blocks the answer. */
async function look(
  session: Session,
  rules: readonly ActiveRule[],
  asked: readonly Asked[],
): Promise<boolean> {
  const texts = asked.map(({ text }) => text);
  const detections = await Promise.all(
    rules.map(async (active) => ({ active, detection: await detect(session, active, texts, 'output') })),
  );
  const isBlocked = detections.some(
    ({ active, detection }) => active.action === 'block' && hasNew(detection, asked, texts),
  );
  if (isBlocked) return true;
  for (const [index, { found }] of asked.entries()) {
    const ranges = detections.flatMap(({ active, detection }) =>
      rangesOf(active, detection, index, texts[index] ?? ''),
    );
    found(joinRanges(ranges));
  }
  return false;
}

function hasNew(detection: Detection, asked: readonly Asked[], texts: readonly string[]): boolean {
  if (detection.findings.length === 0) return hasFound(detection, texts);
  return detection.findings.some(
    ({ text, end }) => end === undefined || (asked[text]?.isNew({ end }) ?? true),
  );
}

/** A finding without offsets covers the whole text, and so does a text that the detector has rewritten. */
function rangesOf({ action }: ActiveRule, { findings, replaced }: Detection, index: number, text: string) {
  if (action !== 'redact') return [];
  const isReplaced = replaced !== undefined && replaced[index] !== undefined && replaced[index] !== text;
  const own = findings
    .filter((finding) => finding.text === index)
    .map(({ start, end = text.length, label }) => ({
      start: start ?? 0,
      end,
      label,
      isRedacted: true,
      isPlaced: start !== undefined,
    }));
  return isReplaced && own.length === 0
    ? [{ start: 0, end: text.length, label: 'redacted', isRedacted: true, isPlaced: false }]
    : own;
}
