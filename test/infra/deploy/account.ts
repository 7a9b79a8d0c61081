/** An account on loopback with the stacks of a gateway, and a terminal that keeps what is written. */

import type { AwsAccess } from '../../../infra/aws/clients.ts';
import { createSigner } from '../../../lib/transport/aws/sign-action.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { operator, startFakeAws } from '../../harness/aws/fake-aws.ts';
import { cloudFormation, type FakeStack } from '../../harness/aws/services/cloudformation.ts';

export const region = 'eu-west-1';

export async function startAccount(stacks: Record<string, FakeStack>) {
  const aws = await startFakeAws({ services: [cloudFormation(stacks)] });
  const { accessKeyId, secretAccessKey } = operator;
  return {
    aws,
    stacks,
    async open(typed: string | undefined): Promise<AwsAccess> {
      const client = createHttpClient();
      return {
        region: typed ?? region,
        sign: createSigner(async () => ({ accessKeyId, secretAccessKey })),
        sendForText: client.sendForText,
        endpointOf: () => aws.url,
        close: () => client.close(),
      };
    },
    actions: () => aws.calls.map(({ action }) => action.replace('cloudformation:', '')),
  };
}

export function keepingTerminal(answer = '') {
  const lines: string[] = [];
  return {
    lines,
    write: (line: string) => void lines.push(line),
    writeError: (line: string) => void lines.push(line),
    readValue: async () => answer,
  };
}
