/** The detectors that need no call: they cost nothing, and never fail. */
import { inTurns } from '../../../async/in-turns.ts';
import type { Detect, Finding } from '../../../core/guardrails/detection.ts';
import type { LocalRule } from '../../../core/guardrails/local-rules.ts';
import { automatonOf } from '../../../core/guardrails/pattern/automaton.ts';
import { readPattern } from '../../../core/guardrails/pattern/syntax.ts';
import { scanPersonalData } from './personal-data.ts';
import type { Match, Scan } from './scan.ts';
import { scanSecrets } from './secrets.ts';
import { scanWords } from './words.ts';

const scanOf = (rule: LocalRule): Scan => {
  switch (rule.kind) {
    case 'words':
      return scanWords(rule.words);
    case 'pattern':
      return scanPatterns(rule.patterns);
    case 'pii':
      return scanPersonalData(rule.types);
    case 'secrets':
      return scanSecrets;
  }
};

/** In characters. */
const sliceLength = 16_384;

function scanPatterns(sources: readonly string[]): Scan {
  const automata = sources.map((source) => automatonOf(readPattern(source)));
  return function* scan(text) {
    const found: Match[] = [];
    for (const automaton of automata) {
      for (let from = 0; from < text.length; from += sliceLength) {
        for (const range of yield* automaton.find(text, from, from + sliceLength))
          found.push({ ...range, label: 'pattern' });
      }
    }
    return found;
  };
}

/** What is prepared once for a rule is used for all its texts. */
export function localDetector(rule: LocalRule): Detect {
  const scan = scanOf(rule);
  return async (texts, _phase, { signal }) => ({
    findings: await inTurns(scanAll(scan, texts), signal),
    units: 0,
    cost: 0,
  });
}

function* scanAll(scan: Scan, texts: readonly string[]): Generator<void, readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [text, content] of texts.entries()) {
    for (const match of yield* scan(content)) findings.push({ text, ...match });
  }
  return findings;
}
