/** The number of a choice in an answer. */
import { maxChoices } from '../core/generation/events.ts';
import { upstreamError } from './failure.ts';
import { asIndex } from './json.ts';

/** @throws GatewayError `upstream_invalid_answer` for more choices than anyone can ask for. */
export function readChoiceIndex(value: unknown, position: number): number {
  const index = asIndex(value, position);
  if (index >= maxChoices) throw upstreamError('upstream_invalid_answer');
  return index;
}
