/** The terms of a guardrail as a text that a person edits. */
import type { GuardrailRow } from '../../../lib/admin/guardrails/schema.ts';

const example = {
  always: false,
  rules: [{ id: 'people', kind: 'pii', types: ['email', 'card'], on: ['input'], action: 'redact' }],
};

/** What `PUT` takes: without what the gateway gives it. */
export function writeTerms(shown: GuardrailRow | null): string {
  if (!shown) return JSON.stringify(example, null, 2);
  const { object: _object, id: _id, tenant: _tenant, version: _version, etag: _etag, ...terms } = shown;
  return JSON.stringify(terms, null, 2);
}
