/**
 * The versions of Anthropic's API, which a request names in a header. Source: "Versions" and the migration guide of 2026-10-21 in
 * Anthropic's API documentation; the wording of errors is its own.
 */
import type { ReadHeader } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import { isJsonObject, objectsIn } from '../../../core/formats/json-object.ts';

const versions = ['2023-06-01', '2026-10-21'] as const;
export type AnthropicVersion = (typeof versions)[number];

const versionHeader = 'anthropic-version';

/** Absent: the oldest. Throws GatewayError `invalid_request` for one that is not known. */
export function readVersion(header: ReadHeader): AnthropicVersion {
  const given = header(versionHeader);
  if (!given) return '2023-06-01';
  const known = versions.find((version) => version === given.trim());
  if (known) return known;
  throw refused(versionHeader, `is not a valid version. Known versions are ${versions.join(' and ')}`);
}

/** `given`: the body as it was sent. Throws GatewayError `invalid_request` for what its version does not have. */
export function checkVersion(given: unknown, version: AnthropicVersion): void {
  if (version !== '2026-10-21' || !isJsonObject(given)) return;
  const removed = ['temperature', 'top_p', 'top_k'].find((name) => given[name] != null);
  if (removed !== undefined) throw refused(removed, 'Extra inputs are not permitted');
  for (const [index, message] of objectsIn(given.messages).entries()) {
    const path = `messages.${index}.content`;
    for (const [at, block] of objectsIn(message.content).entries()) {
      if (message.role === 'assistant' && block.type === 'document') {
        throw refused(`${path}.${at}`, 'a document cannot be in a message of the assistant');
      }
      if (message.role === 'user') checkCitations(block, `${path}.${at}`);
    }
  }
}

/** What a user writes cites nothing. */
function checkCitations({ type, citations, content }: Readonly<Record<string, unknown>>, path: string): void {
  if (type === 'text' && Array.isArray(citations) && citations.length > 0) {
    throw refused(`${path}.citations`, 'Extra inputs are not permitted');
  }
  if (type !== 'search_result') return;
  for (const [index, block] of objectsIn(content).entries()) {
    checkCitations(block, `${path}.content.${index}`);
  }
}

/** In Anthropic's wording. */
function refused(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param}: ${problem}`, { param });
}
