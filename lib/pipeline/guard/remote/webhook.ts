/**
 * A detector of the operator's own, over HTTP, in the form that LiteLLM calls its "generic guardrail API", so that services that are
 * made for one work with both. A call is signed as events of webhooks are. Source: litellm 1.109.1, generic_guardrail_api.py.
 */
import { GatewayError } from '../../../core/errors/errors.ts';
import { asObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import type { Detect, Detection } from '../../../core/guardrails/detection.ts';
import { newId } from '../../../core/names/new-id.ts';
import type { PostForText } from '../../../core/ports/webhooks.ts';
import { headersOf } from '../../../core/webhooks/sign.ts';
import { unreadable } from './call-provider.ts';
import { type RemoteRuleOf, timeoutOf } from './rule.ts';

const maxAnswer = 16 * 1024 * 1024;

export interface WebhookParts {
  /** Posts to public addresses only. */
  readonly postForText: PostForText;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export function webhookDetector(rule: RemoteRuleOf<'webhook'>, { postForText, now }: WebhookParts): Detect {
  return async (texts, phase, { signal, tenant }) => {
    const input_type = phase === 'input' ? 'request' : 'response';
    const body = JSON.stringify({ input_type, texts, request_data: { user_api_key_team_id: tenant } });
    const headers =
      rule.secret === undefined
        ? { 'content-type': 'application/json' }
        : headersOf(rule.secret, newId('guard_'), now(), body);
    const { status, text } = await postForText(
      rule.url,
      { headers, body },
      { timeoutMs: timeoutOf(rule), signal, maxBytes: maxAnswer },
    );
    if (status !== 200) {
      throw new GatewayError(
        'upstream_failed',
        `The webhook of the guardrail answered with status ${status}.`,
      );
    }
    return decode(parseJson(text), texts);
  };
}

/** What it says of a reason may repeat the text, so it is not kept. */
function decode(answer: unknown, texts: readonly string[]): Detection {
  const free = { units: 1, cost: 0 };
  const { action, texts: given } = asObject(answer);
  if (action === 'NONE') return { findings: [], ...free };
  if (action === 'BLOCKED')
    return { findings: texts.map((_, text) => ({ text, label: 'webhook' })), ...free };
  if (action !== 'GUARDRAIL_INTERVENED' || !isTexts(given, texts.length)) throw unreadable();
  const changed = given.flatMap((text, index) => (text === texts[index] ? [] : index));
  return { findings: changed.map((text) => ({ text, label: 'webhook' })), ...free, replaced: given };
}

const isTexts = (given: unknown, count: number): given is readonly string[] =>
  Array.isArray(given) && given.length === count && given.every((text) => typeof text === 'string');
