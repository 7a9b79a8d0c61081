/** What the rules of a request find in its input, and what becomes of it. */
import { createHash } from 'node:crypto';
import { lazyFor } from '../../async/lazy.ts';
import { type Change, overridden } from '../../normalization/rule.ts';
import { type Edit, joinRanges } from './edits.ts';
import {
  type ActiveRule,
  blockedInput,
  detect,
  hasFound,
  isLocal,
  type Session,
  unknown,
} from './session.ts';
import { outside, type PlacedText } from './texts.ts';

/** Of the texts that are to be changed, by their positions. */
export interface Redaction {
  readonly edits: ReadonlyMap<number, readonly Edit[]>;
  readonly changes: readonly Change[];
}

/** A finding in one text. `whole`: what takes its place, where the detector wrote it. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly active: ActiveRule;
  readonly whole?: string;
}

/** Several texts as one, in which what is split over them is found. */
interface Joined {
  readonly text: string;
  readonly starts: readonly number[];
}

function join(texts: readonly PlacedText[], between: (one: PlacedText, next: PlacedText) => string): Joined {
  const pieces: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const [index, one] of texts.entries()) {
    const before = texts[index - 1];
    const mark = before ? between(before, one) : '';
    pieces.push(mark, one.text);
    starts.push(length + mark.length);
    length += mark.length + one.text.length;
  }
  return { text: pieces.join(''), starts };
}

const byLines = (texts: readonly PlacedText[]) => join(texts, () => '\n');
/** As a model reads them: the parts of one message follow each other. */
const byMessages = (texts: readonly PlacedText[]) =>
  join(texts, (one, next) => (one.message === next.message && one.message !== outside ? '' : '\n'));

const hasParts = (texts: readonly PlacedText[]): boolean =>
  texts.some(
    ({ message }, index) => message !== outside && index > 0 && texts[index - 1]?.message === message,
  );

/** The index of the text that has a position: the last one that starts before it. */
function indexAt(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rejects with GatewayError `guardrail_blocked` for what a rule does not allow, `guardrail_unavailable` for what it cannot tell. */
export async function checkInput(
  session: Session,
  rules: readonly ActiveRule[],
  texts: readonly PlacedText[],
): Promise<void> {
  await Promise.all(
    rules.map(async (active) => {
      const selected = textsFor(active, texts);
      const path = isLocal(active)
        ? await firstPath(session, active, selected)
        : await firstRemotePath(session, active, selected);
      if (path !== undefined && active.action === 'block') throw blockedInput(active, path);
    }),
  );
}

/** Instructions are looked at each time by local rules; what came before the last turn only where a policy says so. */
function textsFor({ policy, action }: ActiveRule, texts: readonly PlacedText[]): readonly PlacedText[] {
  return policy.scan === 'all' || action === 'redact' ? texts : withoutHistory(texts);
}

/** All rules of a request read the same texts, which may be long. */
const withoutHistory = lazyFor((texts: readonly PlacedText[]) =>
  texts.filter(({ scope }) => scope !== 'history'),
);
const variantsOf = lazyFor((texts: readonly PlacedText[]) =>
  hasParts(texts) ? [byLines(texts), byMessages(texts)] : [byLines(texts)],
);

async function firstPath(
  session: Session,
  active: ActiveRule,
  texts: readonly PlacedText[],
): Promise<string | undefined> {
  const [first] = await rangesIn(session, active, texts);
  return first && texts[first.index]?.path;
}

/** What is found of a text, and of what is split over several. */
async function rangesIn(session: Session, active: ActiveRule, texts: readonly PlacedText[]) {
  const variants = variantsOf(texts);
  const { findings } = await detect(
    session,
    active,
    variants.map(({ text }) => text),
    'input',
  );
  return findings.flatMap(({ text: variant, start = 0, end = Number.POSITIVE_INFINITY, label }) => {
    const { starts = [] } = variants[variant] ?? {};
    const [first, last] = [indexAt(starts, start), indexAt(starts, end - 1)];
    // Found in the first variant, too.
    if (variant > 0 && first === last) return [];
    return Array.from({ length: last - first + 1 }, (_, offset) => {
      const index = first + offset;
      const from = starts[index] ?? 0;
      const length = texts[index]?.text.length ?? 0;
      return { index, start: Math.max(0, start - from), end: Math.min(length, end - from), label };
    });
  });
}

/** What a remote rule has found nothing in is not sent again for a while: instructions come with each request. */
async function firstRemotePath(
  session: Session,
  active: ActiveRule,
  texts: readonly PlacedText[],
): Promise<string | undefined> {
  const isSystem = ({ scope }: PlacedText) => scope === 'system';
  const system = texts.filter(isSystem);
  const instructions = byLines(system).text;
  const key = keyOf(session, active, instructions);
  const { passed } = session.guardrails;
  const isKnown = instructions === '' || passed.has(key);
  const others = texts.filter((text) => !isSystem(text));
  const asked = isKnown ? [byLines(others).text] : [byLines(others).text, instructions];
  const detection = await detect(session, active, asked, 'input');
  if (!hasFound(detection, asked)) {
    if (!isKnown && detection !== unknown) passed.add(key);
    return undefined;
  }
  const [first = { text: 0, start: 0 }] = detection.findings;
  const from = first.text === 0 ? others : system;
  return from[indexAt(byLines(from).starts, first.start ?? 0)]?.path ?? 'input';
}

const keyOf = ({ tenant }: Session, { policy, rule }: ActiveRule, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant, policy.id, policy.version, rule.id, text]))
    .digest('base64');

/** What the redacting rules take out of the texts. */
export async function redactInput(
  session: Session,
  rules: readonly ActiveRule[],
  all: readonly PlacedText[],
): Promise<Redaction> {
  const texts = all.map((one) => (one.isName ? { ...one, text: '' } : one));
  const found = await Promise.all(
    rules.map((active) => (isLocal(active) ? localRanges : remoteRanges)(session, active, texts)),
  );
  const byText = Map.groupBy(found.flat(), ({ index }) => index);
  const edits = new Map<number, readonly Edit[]>();
  const changes: Change[] = [];
  // In the order of the conversation, so that numbers stay as it grows.
  for (const index of [...byText.keys()].toSorted((one, other) => one - other)) {
    const { text = '', path = '' } = texts[index] ?? {};
    const ranges = joinRanges(byText.get(index) ?? []);
    const own = ranges.map(({ start, end, label, whole }) => ({
      start,
      end,
      text: whole ?? session.tags.tagFor(label, text.slice(start, end)),
    }));
    edits.set(index, own);
    for (const { label, active, whole } of ranges) {
      changes.push(changeOf(path, label, whole === undefined ? 'a tag' : 'another text', active));
    }
  }
  return { edits, changes: changes.slice(0, maxChanges) };
}

/** More of them are not listed. */
const maxChanges = 100;

/** The match itself is nowhere on record. */
const changeOf = (path: string, label: string, after: string, { policy, rule }: ActiveRule): Change =>
  overridden(path, label, after, `The rule '${rule.id}' of the guardrail '${policy.id}' takes it out.`);

type Placed = Found & { readonly index: number };

async function localRanges(
  session: Session,
  active: ActiveRule,
  texts: readonly PlacedText[],
): Promise<readonly Placed[]> {
  const ranges = await rangesIn(session, active, texts);
  return ranges.filter(({ start, end }) => end > start).map((range) => ({ ...range, active }));
}

async function remoteRanges(
  session: Session,
  active: ActiveRule,
  texts: readonly PlacedText[],
): Promise<readonly Placed[]> {
  const asked = texts.map(({ text }) => text);
  const { findings, replaced } = await detect(session, active, asked, 'input');
  const replacedOnes = (replaced ?? []).flatMap((whole, index) => {
    const text = asked[index];
    return text === undefined || whole === text
      ? []
      : [{ index, start: 0, end: text.length, label: 'replaced', active, whole }];
  });
  const isReplaced = new Set(replacedOnes.map(({ index }) => index));
  const others = findings
    .filter(({ text }) => !isReplaced.has(text))
    .map(({ text: index, start = 0, end = asked[index]?.length ?? 0, label }) => ({
      index,
      start,
      end,
      label,
      active,
    }));
  return [...replacedOnes, ...others];
}
