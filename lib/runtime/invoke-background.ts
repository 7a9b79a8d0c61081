/** Starts the workers of background responses in a function of their own, which Lambda invokes with the name of the response. */
import type { StartRun } from '../core/background.ts';
import { createInvokeLater } from '../transport/aws/invoke-later.ts';
import type { Foundation } from './foundation.ts';

type InvokeParts = Pick<Foundation, 'sendForText' | 'sign' | 'endpointOf'> & {
  readonly environment: Pick<Foundation['environment'], 'AWS_REGION'>;
};

/** `functionName`: its name or ARN, with its alias. */
export function createInvokeBackground(
  { sendForText, sign, endpointOf, environment }: InvokeParts,
  functionName: string,
): StartRun {
  const invoke = createInvokeLater({
    sendForText,
    sign,
    region: environment.AWS_REGION,
    endpoint: endpointOf('lambda'),
    functionName,
  });
  return async ({ tenant, id, left }) => await invoke({ tenant, id, ...(left && { left }) });
}
