/**
 * A guardrail of Bedrock: `ApplyGuardrail`. It names what it has found by its text, without an offset, so it is looked up.
 * Source: @aws-sdk/client-bedrock-runtime 3.1164, ApplyGuardrailRequest and GuardrailAssessment.
 */
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { asObject, type JsonObject, objectsIn } from '../../../core/formats/json-object.ts';
import type { Detect, Detection, Finding } from '../../../core/guardrails/detection.ts';
import type { Phase } from '../../../core/guardrails/policy.ts';
import { callProvider, type ProviderParts, unreadable } from './call-provider.ts';
import { maxCharacters, prices } from './costs.ts';
import { callsOf, type Piece } from './pieces.ts';
import { type RemoteRuleOf, timeoutOf } from './rule.ts';

const callsAtOnce = 4;

export function bedrockDetector(rule: RemoteRuleOf<'bedrock'>, parts: ProviderParts): Detect {
  const { guardrail, guardrailVersion, region } = rule;
  const path = `/guardrail/${encodeURIComponent(guardrail)}/version/${encodeURIComponent(guardrailVersion)}/apply`;
  return async (texts, phase, { signal }) => {
    const detections = await mapConcurrently(callsOf(texts, maxCharacters), callsAtOnce, async (pieces) => {
      const body = encode(pieces, phase);
      const call = { provider: 'bedrock', region, path, body, timeoutMs: timeoutOf(rule), signal };
      return decode(await callProvider(parts, call), pieces);
    });
    return joined(detections);
  };
}

const encode = (pieces: readonly Piece[], phase: Phase) => ({
  source: phase === 'input' ? 'INPUT' : 'OUTPUT',
  content: pieces.map(({ value }) => ({ text: { text: value } })),
});

/** What each policy lists, and what one of it is called. What it matched is the secret itself. */
const lists: readonly {
  readonly policy: string;
  readonly list: string;
  readonly label: (found: JsonObject) => unknown;
}[] = [
  { policy: 'topicPolicy', list: 'topics', label: ({ name }) => name },
  { policy: 'contentPolicy', list: 'filters', label: ({ type }) => type },
  { policy: 'wordPolicy', list: 'customWords', label: () => 'word' },
  { policy: 'wordPolicy', list: 'managedWordLists', label: ({ type }) => type },
  { policy: 'sensitiveInformationPolicy', list: 'piiEntities', label: ({ type }) => type },
  { policy: 'sensitiveInformationPolicy', list: 'regexes', label: ({ name }) => name },
  { policy: 'contextualGroundingPolicy', list: 'filters', label: ({ type }) => type },
];

function decode(body: unknown, pieces: readonly Piece[]): Detection {
  const { action, assessments, usage } = asObject(body);
  if (action !== 'NONE' && action !== 'GUARDRAIL_INTERVENED') throw unreadable();
  const found = objectsIn(assessments).flatMap((assessment) =>
    lists.flatMap(({ policy, list, label }) =>
      objectsIn(asObject(assessment[policy])[list])
        // What it only detects is not what it acts on.
        .filter((one) => one.action !== undefined && one.action !== 'NONE')
        .map((one) => ({ label: labelOf(label(one)), match: one.match })),
    ),
  );
  // A match is named as often as it stands there.
  const different = found.filter(
    ({ label, match }, index) =>
      found.findIndex((other) => other.label === label && other.match === match) === index,
  );
  const findings = different.flatMap(({ label, match }) => findingsOf(pieces, label, match));
  const isSilent = action === 'GUARDRAIL_INTERVENED' && findings.length === 0;
  return { findings: isSilent ? wholeTexts(pieces, 'guardrail') : findings, ...countUsage(usage) };
}

export const labelOf = (name: unknown): string =>
  typeof name === 'string' && name ? name.toLowerCase() : 'guardrail';

/** Where the match stands; about all texts of the call, where it stands in none as it was given. */
function findingsOf(pieces: readonly Piece[], label: string, match: unknown): readonly Finding[] {
  if (typeof match !== 'string' || match === '') return wholeTexts(pieces, label);
  const found = pieces.flatMap(({ text, start, value }) =>
    [...positionsOf(match, value)].map((at) => ({
      text,
      start: start + at,
      end: start + at + match.length,
      label,
    })),
  );
  return found.length > 0 ? found : wholeTexts(pieces, label);
}

function* positionsOf(match: string, value: string): Generator<number> {
  for (let at = value.indexOf(match); at >= 0; at = value.indexOf(match, at + match.length)) yield at;
}

export const wholeTexts = (pieces: readonly Piece[], label: string): readonly Finding[] =>
  [...new Set(pieces.map(({ text }) => text))].map((text) => ({ text, label }));

/** Without counts, or with one that has no known price, the cost is unknown. */
function countUsage(usage: unknown): Pick<Detection, 'units' | 'cost'> {
  const counts = Object.entries(asObject(usage)).filter(
    ([name, count]) => name.endsWith('Units') && typeof count === 'number' && !free.has(name),
  ) as [string, number][];
  const units = counts.reduce((sum, [, count]) => sum + count, 0);
  const isKnown = usage !== undefined && counts.every(([name, count]) => count === 0 || name in prices);
  const cost = counts.reduce((sum, [name, count]) => sum + count * (prices[name] ?? 0), 0);
  return { units, cost: isKnown ? cost : null };
}

const free: ReadonlySet<string> = new Set(['wordPolicyUnits', 'sensitiveInformationPolicyFreeUnits']);

export function joined(detections: readonly Detection[]): Detection {
  return {
    findings: detections.flatMap(({ findings }) => findings),
    units: detections.reduce((sum, { units }) => sum + units, 0),
    cost: detections.reduce<number | null>(
      (sum, { cost }) => (sum === null || cost === null ? null : sum + cost),
      0,
    ),
  };
}
