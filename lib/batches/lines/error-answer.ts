/** What a line is answered with that the gateway refuses itself: as the operation of its batch would say it. */
import type { Batch } from '../../core/batches.ts';
import { anthropicStatus, toAnthropicBody } from '../../core/errors/anthropic-error.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import { operationNamed } from '../../core/operations.ts';
import type { LineAnswer } from '../ports.ts';

export function errorAnswer(
  { operation }: Pick<Batch, 'operation'>,
  error: GatewayError,
  requestId: string,
): LineAnswer {
  const isAnthropic = operationNamed(operation).errors === 'anthropic';
  const status = isAnthropic ? anthropicStatus(error) : error.status;
  const body = isAnthropic ? toAnthropicBody(error, requestId) : error.toBody();
  return { status, requestId, body: JSON.stringify(body) };
}
