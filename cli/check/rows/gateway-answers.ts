/** Whether the gateway answers at its base URL, and has models: the deployment writes them. */

import { failed, ok, type StackCheck, warning } from '../check.ts';
import { outputOf } from '../deployed-gateway.ts';
import { systemCodeOf } from '../errors.ts';

const timeoutMs = 15_000;

export const gatewayAnswers: StackCheck = {
  id: 'answers',
  title: 'Answers',
  of: 'stack',
  about: 'The gateway answers at its base URL, and its catalog has models.',
  needs: [],
  async run({ gateway }) {
    const url = `${await outputOf(gateway, 'OpenAiBaseUrl')}/models`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (response.status !== 200)
        return [
          failed(
            `GET ${url} is answered with status ${response.status}.`,
            'Read the log of the function of models.',
          ),
        ];
      const { data = [] } = (await response.json()) as { readonly data?: readonly unknown[] };
      if (data.length > 0) return [ok(`${data.length} models at ${url}.`)];
      return [
        failed('the catalog is empty.', `Run npm run gateway -- catalog sync --stack ${gateway.name}.`),
      ];
    } catch (error) {
      const code = systemCodeOf(error);
      const reason = code ? ` (${code})` : '';
      return [
        warning(`${url} cannot be reached from here${reason}.`, 'A private API answers only in its network.'),
      ];
    }
  },
};
