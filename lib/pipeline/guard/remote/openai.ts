/** OpenAI's moderation, which is free. Source: openai 7.55, `ModerationCreateParams` and `ModerationCreateResponse`. */

import { asObject, objectsIn } from '../../../core/formats/json-object.ts';
import type { Detect, Finding } from '../../../core/guardrails/detection.ts';
import { callProvider, type ProviderParts, unreadable } from './call-provider.ts';
import { piecesOf } from './pieces.ts';
import { type RemoteRuleOf, timeoutOf } from './rule.ts';

const model = 'omni-moderation-latest';

/** The model reads 32,768 tokens, and no code unit of a text has more than three. */
const maxCharacters = 10_000;

export function openaiDetector(rule: RemoteRuleOf<'openai'>, parts: ProviderParts): Detect {
  return async (texts, _, { signal }) => {
    const pieces = texts.flatMap((text, index) => piecesOf(text, index, maxCharacters));
    if (pieces.length === 0) return { findings: [], units: 0, cost: 0 };
    const body = { model, input: pieces.map(({ value }) => value) };
    const call = { provider: 'openai', region: 'global', path: '/moderations', body };
    const answer = await callProvider(parts, { ...call, timeoutMs: timeoutOf(rule), signal });
    const results = objectsIn(asObject(answer).results);
    if (results.length !== pieces.length || !results.every(({ flagged }) => typeof flagged === 'boolean'))
      throw unreadable();
    const findings = pieces.flatMap(({ text }, index) => findingsOf(text, asObject(results[index])));
    return { findings, units: pieces.length, cost: 0 };
  };
}

function findingsOf(
  text: number,
  { flagged, categories }: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  if (flagged !== true) return [];
  const labels = Object.entries(asObject(categories)).flatMap(([name, isFound]) =>
    isFound === true ? name : [],
  );
  return (labels.length > 0 ? labels : ['flagged']).map((label) => ({ text, label }));
}
