/** What a request of a batch may not ask for, and what it asks for without saying so. */
import type { BatchOperation } from '../lib/core/batches.ts';
import { invalid } from '../lib/core/errors/invalid.ts';
import { exactJson } from '../lib/core/formats/exact-json.ts';
import { asObject, type JsonObject } from '../lib/core/formats/json-object.ts';

/** Whether a field asks for what a batch does not have. */
const refused: Readonly<Record<string, (value: unknown) => boolean>> = {
  stream: (value) => value === true,
  background: (value) => value === true,
  previous_response_id: (value) => value != null,
  conversation: (value) => value != null,
  fallbacks: (value) => value != null,
  models: (value) => Array.isArray(value) && value.length > 0,
};

const refusedExtra: Readonly<Record<string, (value: unknown) => boolean>> = {
  fallbacks: (value) => Array.isArray(value) && value.length > 0,
  resumable: (value) => value === true,
};

/** Throws GatewayError that names the field. */
export function checkFields(body: JsonObject): void {
  for (const [name, isRefused] of Object.entries(refused)) {
    if (isRefused(body[name])) throw invalid(name, 'is not supported in a batch');
  }
  const extra = asObject(body.extra);
  for (const [name, isRefused] of Object.entries(refusedExtra)) {
    if (isRefused(extra[name])) throw invalid(`extra.${name}`, 'is not supported in a batch');
  }
}

/** The values that do not change a price. Others do, and a job is paid for at the price of batches alone. */
const usualPrice: Readonly<Record<string, readonly unknown[]>> = {
  service_tier: ['auto', 'default', 'standard', 'standard_only', 'flex'],
  speed: ['standard'],
  inference_geo: ['global'],
};

/** Whether a request asks for a price that is not that of batches, or for calls beside the one for its answer, which no job has. */
export const isOutsideJobs = (body: JsonObject): boolean =>
  body.moderation != null ||
  Object.entries(usualPrice).some(([name, usual]) => body[name] != null && !usual.includes(body[name]));

/** The body with these members in place of its own, and its numbers as they were written. */
export const withFields = (text: string, parsed: JsonObject, fields: JsonObject): string =>
  JSON.stringify({ ...(exactJson(text, parsed) as JsonObject), ...fields });

/** A response of a batch is in its file only. */
export const ownFields = (operation: BatchOperation): JsonObject =>
  operation === 'responses' ? { store: false } : {};
