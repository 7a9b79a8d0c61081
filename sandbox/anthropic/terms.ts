/**
 * What the headers of a request allow: the version of the API, and the betas whose fields may be used.
 *
 * Sources: platform.claude.com, "Versioning", "API errors" and "Migrating to 2026-10-21"; the parameters of `messages` and of
 * `beta.messages` in @anthropic-ai/sdk 1.12.0, whose difference is what needs a beta.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { SandboxRequest } from '../exchange.ts';
import { checkKeys, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { refuse } from './refuse.ts';

export interface Terms {
  readonly version: string;
  /** Whether one of the request's betas begins so. */
  readonly has: (beta: string) => boolean;
}

const versions = ['2023-01-01', '2023-06-01', '2026-10-21'];

/** The list of betas grows with every release, so any name with a date is known here. */
export function readTerms({ headers }: SandboxRequest): Terms {
  const key = headers['x-api-key'] ?? headers.authorization;
  if (key === undefined || key === '') refuse('x-api-key header is required', 401, 'authentication_error');
  const version = headers['anthropic-version'];
  if (version === undefined) refuse('anthropic-version: header is required');
  if (!versions.includes(textOf(version))) {
    refuse(`anthropic-version: "${textOf(version)}" is not a valid version`);
  }
  const betas = textOf(headers['anthropic-beta'])
    .split(',')
    .map((beta) => beta.trim())
    .filter((one) => one !== '');
  const odd = betas.filter((one) => !/^[a-z0-9-]+-\d{4}-?\d{2}-?\d{2}$/.test(one));
  if (odd.length > 0) {
    refuse(
      `Unexpected value(s) ${odd.map((one) => `\`${one}\``).join(', ')} for the \`anthropic-beta\` header.`,
    );
  }
  return { version: textOf(version), has: (beta) => betas.some((one) => one.startsWith(beta)) };
}

/** Whether the request is of the version that dropped the sampling parameters. */
export const isNewest = ({ version }: Terms): boolean => version === '2026-10-21';

const known = wordSet(
  'model messages max_tokens system metadata stop_sequences stream tools tool_choice thinking',
  'output_config service_tier cache_control container inference_geo speed diagnostics',
);

const sampling = ['temperature', 'top_p', 'top_k'];

const ofBetas: Readonly<Record<string, readonly string[]>> = {
  context_management: ['context-management-', 'compact-'],
  mcp_servers: ['mcp-client-'],
  output_format: ['structured-outputs-'],
  fallbacks: ['server-side-fallback-'],
  fallback_credit_token: ['fallback-credit-'],
  billing_policy: ['user-profiles-billing-'],
  compaction: ['compact-2026-09-04'],
  thread: ['message-threads-'],
  safeguards: ['dangerous-tool-use-'],
};

export function checkFields(body: JsonObject, terms: Terms): void {
  for (const name of Object.keys(body)) {
    const betas = ofBetas[name];
    const isKnown = known.has(name) || (sampling.includes(name) && !isNewest(terms));
    if (!isKnown && !betas?.some(terms.has)) refuse(`${name}: Extra inputs are not permitted`);
  }
  checkNested(body, terms);
}

function checkNested(body: JsonObject, terms: Terms): void {
  const { display } = objectOf(body.thinking);
  const displays = ['summarized', 'omitted', ...(terms.has('thinking-display-updates-') ? ['updates'] : [])];
  if (display !== undefined && display !== null && !displays.includes(textOf(display))) {
    refuse(`thinking.display: Input should be ${displays.map((one) => `'${one}'`).join(' or ')}`);
  }
  if ('task_budget' in objectOf(body.output_config) && !terms.has('task-budgets-')) {
    refuse('output_config.task_budget: Extra inputs are not permitted');
  }
  checkKeys(body.metadata, new Set(['user_id']), (metadata) =>
    refuse(`metadata.${metadata}: Extra inputs are not permitted`),
  );
  checkEdits(body);
}

/** Source: the refusal in router-for-me/CLIProxyAPI issue 4784. */
function checkEdits({ context_management, thinking }: JsonObject): void {
  const clears = objectsOf(objectOf(context_management).edits).some(
    ({ type }) => type === 'clear_thinking_20251015',
  );
  const thinks = ['enabled', 'adaptive'].includes(textOf(objectOf(thinking).type));
  if (clears && !thinks) {
    refuse('`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive');
  }
}
