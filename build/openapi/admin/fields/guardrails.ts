/** The descriptions of the fields of guardrails. */
const always = 'Whether it applies to all requests of the tenant, or to those whose key or body names it.';
const scan =
  '`new`: the instructions, and what came after the last answer of the model. `all`: the whole conversation.';
const output =
  '`window`: an answer is held back in pieces until they were looked at. `whole`: until its end. `flag`: it is only reported on.';
const answer = 'What is answered to a blocked input: `error`, or `refusal`, an answer with status 200.';
const rules = 'The rules, as [the page on guardrails](../guardrails.md) has them.';

const rulesOf = (of: string): Readonly<Record<string, string>> => ({
  [`${of}.always`]: always,
  [`${of}.scan`]: scan,
  [`${of}.output`]: output,
  [`${of}.answer`]: answer,
  [`${of}.rules`]: rules,
  [`${of}.kind`]: 'What looks at the text.',
  [`${of}.on`]: 'What it looks at.',
  [`${of}.action`]: 'What a finding leads to.',
  [`${of}.when`]: 'Whether the input is looked at before the provider is called, or beside the call.',
  [`${of}.on_failure`]: 'Whether a request goes on when the detector fails.',
  [`${of}.timeout_ms`]: 'Of one call of the detector.',
  [`${of}.words`]: 'Words and phrases, in any case.',
  [`${of}.patterns`]: 'Regular expressions without lookaround and backreferences.',
  [`${of}.types`]: 'The types of personal data; absent: all.',
  [`${of}.guardrail`]: 'The id or the ARN of a guardrail at Bedrock.',
  [`${of}.guardrail_version`]: 'Its version there, such as `1` or `DRAFT`.',
  [`${of}.region`]: 'The region at Bedrock.',
  [`${of}.checks`]: 'The checks of Bedrock; absent: all.',
  [`${of}.threshold`]: 'The least score that is a finding, from 0 to 1.',
  [`${of}.unit_price_usd`]: 'What AWS bills you for a text unit, as text.',
  [`${of}.url`]: 'The URL of a webhook.',
});

export const guardrailDescriptions: Readonly<Record<string, string>> = {
  guardrail: 'The id of a guardrail.',
  'Guardrail.version': 'A change makes a new one.',
  ...rulesOf('Guardrail'),
  ...rulesOf('ChangedGuardrail'),
  'ChangedGuardrail.version': 'A change makes a new one.',
  webhook_secrets:
    'With what the calls of new webhooks are signed, by the ids of their rules; only in this answer.',
  ...rulesOf('admin-guardrails-put'),
  ...rulesOf('admin-guardrails-test'),
  'admin-guardrails-test.text': 'The text to look at.',
  'admin-guardrails-test.on':
    'As what the text is looked at; absent: `input`. In a rule of the draft, what it looks at.',
  'admin-guardrails-test.remote': 'Whether rules whose detectors are elsewhere are asked, too; absent: no.',
  'admin-guardrails-test.draft': 'The terms to test, as they would be set; absent: those that are stored.',
  'GuardrailTest.version': 'The version that was tested; null: a draft.',
  'GuardrailTest.on': 'As what the text was looked at.',
  'GuardrailTest.rules': 'The rules that look at it, each by itself.',
  'GuardrailTest.rule': 'The id of the rule.',
  'GuardrailTest.kind': 'What looked at the text.',
  'GuardrailTest.action':
    'What it would do. `pass`: it found nothing. `failed`: its detector did not answer. `not_asked`: its detector is elsewhere.',
  'GuardrailTest.matches': 'What it found: the first hundred.',
  'GuardrailTest.label': 'What it is, such as `email`.',
  'GuardrailTest.start':
    'Where it begins, in UTF-16 code units; null: the detector says it of the whole text.',
  'GuardrailTest.end': 'Where it ends; null: as `start`.',
  'GuardrailTest.match_count': 'How many it found.',
  'GuardrailTest.failure': 'Why the detector did not answer; null: it did, or was not asked.',
  'GuardrailTest.duration_ms': 'How long it took, in milliseconds.',
  'GuardrailTest.units': 'What the detector bills by.',
  'GuardrailTest.cost_usd': 'What the detector costs, as text; null: unknown.',
};
