/**
 * Checks of Bedrock without a guardrail there: `InvokeGuardrailChecks`. It only detects, and scores what it finds.
 *
 * Sources: @aws-sdk/client-bedrock-runtime 3.1164, InvokeGuardrailChecksRequest and -Response; Bedrock's user guide,
 * "InvokeGuardrailChecks". No public price was found: the operator says what a text unit costs.
 */
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { asObject, isJsonObject, objectsIn } from '../../../core/formats/json-object.ts';
import type { Detect, Detection, Finding } from '../../../core/guardrails/detection.ts';
import type { Phase } from '../../../core/guardrails/policy.ts';
import type { BedrockCheck } from '../../../core/guardrails/remote-rules.ts';
import { joined, labelOf, wholeTexts } from './bedrock.ts';
import { callProvider, type ProviderParts, unreadable } from './call-provider.ts';
import { maxCharacters } from './costs.ts';
import { callsOf, type Piece } from './pieces.ts';
import { type RemoteRuleOf, timeoutOf } from './rule.ts';

type ChecksRule = RemoteRuleOf<'bedrock_checks'>;

const path = '/guardrail-checks/invoke';
const callsAtOnce = 4;
const defaultThreshold = 0.6;

const contentCategories = ['VIOLENCE', 'HATE', 'SEXUAL', 'INSULTS', 'MISCONDUCT'];
const attackCategories = ['JAILBREAK', 'PROMPT_INJECTION', 'PROMPT_LEAKAGE'];

/** All but `AGE`, `NAME`, `URL` and `USERNAME`, which most texts have. */
const personalTypes =
  'ADDRESS AWS_ACCESS_KEY AWS_SECRET_KEY CA_HEALTH_NUMBER CA_SOCIAL_INSURANCE_NUMBER CREDIT_DEBIT_CARD_CVV CREDIT_DEBIT_CARD_EXPIRY CREDIT_DEBIT_CARD_NUMBER DRIVER_ID EMAIL INTERNATIONAL_BANK_ACCOUNT_NUMBER IP_ADDRESS LICENSE_PLATE MAC_ADDRESS PASSWORD PHONE PIN SWIFT_CODE UK_NATIONAL_HEALTH_SERVICE_NUMBER UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER US_BANK_ACCOUNT_NUMBER US_BANK_ROUTING_NUMBER US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER US_PASSPORT_NUMBER US_SOCIAL_SECURITY_NUMBER VEHICLE_IDENTIFICATION_NUMBER'.split(
    ' ',
  );

export function bedrockChecksDetector(rule: ChecksRule, parts: ProviderParts): Detect {
  const { region, threshold = defaultThreshold, unitPrice } = rule;
  return async (texts, phase, { signal }) => {
    const checks = checksOf(rule, phase);
    if (Object.keys(checks).length === 0) return { findings: [], units: 0, cost: 0 };
    const detections = await mapConcurrently(callsOf(texts, maxCharacters), callsAtOnce, async (pieces) => {
      const role = phase === 'input' ? 'user' : 'assistant';
      const body = { messages: [{ role, content: pieces.map(({ value }) => ({ text: value })) }], checks };
      const call = { provider: 'bedrock', region, path, body, timeoutMs: timeoutOf(rule), signal };
      const detection = decode(await callProvider(parts, call), pieces, threshold);
      return { ...detection, cost: unitPrice === undefined ? null : detection.units * unitPrice };
    });
    return joined(detections);
  };
}

function checksOf(
  { checks = ['content', 'attack', 'personal'], types = personalTypes }: ChecksRule,
  phase: Phase,
) {
  const has = (check: BedrockCheck) => checks.includes(check);
  const categories = (names: readonly string[]) => ({ categories: names.map((category) => ({ category })) });
  return {
    ...(has('content') && { contentFilter: categories(contentCategories) }),
    ...(has('attack') && phase === 'input' && { promptAttack: categories(attackCategories) }),
    ...(has('personal') && { sensitiveInformation: { entities: types.map((type) => ({ type })) } }),
  };
}

/** Scores have steps of 0.2, which no binary fraction has. */
const tolerance = 1e-6;

function decode(body: unknown, pieces: readonly Piece[], threshold: number): Omit<Detection, 'cost'> {
  const { results, usage } = asObject(body);
  if (!isJsonObject(results)) throw unreadable();
  const { contentFilter, promptAttack, sensitiveInformation } = asObject(results);
  const reaches = (score: unknown) => typeof score === 'number' && score >= threshold - tolerance;
  const scored = [contentFilter, promptAttack].flatMap((check) =>
    objectsIn(asObject(check).results)
      .filter(({ severityScore }) => reaches(severityScore))
      .flatMap(({ category }) => wholeTexts(pieces, labelOf(category))),
  );
  const { results: entities, truncated } = asObject(sensitiveInformation);
  const personal = objectsIn(entities)
    .filter(({ confidenceScore }) => reaches(confidenceScore))
    .flatMap((entity) => placed(entity, pieces));
  const units = Object.values(asObject(usage)).reduce<number>((sum, check) => {
    const { textUnits } = asObject(check);
    return sum + (typeof textUnits === 'number' ? textUnits : 0);
  }, 0);
  const findings = [...scored, ...personal, ...(truncated === true ? wholeTexts(pieces, 'truncated') : [])];
  return { findings, units };
}

/** Whether offsets count code points or UTF-16 code units is not documented: what is found covers both. */
function placed(entity: Readonly<Record<string, unknown>>, pieces: readonly Piece[]): readonly Finding[] {
  const { type, beginOffset, endOffset, contentIndex } = entity;
  const label = labelOf(type);
  const piece = typeof contentIndex === 'number' ? pieces[contentIndex] : undefined;
  if (!piece || typeof beginOffset !== 'number' || typeof endOffset !== 'number')
    return wholeTexts(pieces, label);
  const { text, start, value } = piece;
  const end = Math.min(value.length, inUnits(value, endOffset));
  return [{ text, start: start + beginOffset, end: start + end, label }];
}

/** A number of code points from the start of a text, in UTF-16 code units. */
function inUnits(text: string, points: number): number {
  let units = 0;
  let left = points;
  for (const character of text) {
    if (left <= 0) break;
    units += character.length;
    left -= 1;
  }
  return units;
}
