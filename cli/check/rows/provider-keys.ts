/** Which providers have all settings that they need. Only names are read, never a value. */
import { providerStates } from '../../../lib/admin/providers/provider-states.ts';
import { ok, type StackCheck, warning } from '../check.ts';

export const providerKeys: StackCheck = {
  id: 'provider-keys',
  title: 'Provider keys',
  of: 'stack',
  about: 'Providers have the keys and settings that they need.',
  needs: ['ssm:DescribeParameters', 'dynamodb:Scan'],
  async run({ gateway }) {
    const states = await providerStates(await gateway.installation());
    const names = (isReady: boolean) =>
      states.filter((state) => state.isReady === isReady).map(({ provider }) => provider.name);
    const ready = names(true);
    const incomplete = states.filter(({ isReady, from }) => !isReady && from.length > 0);
    const without = names(false).filter((name) => incomplete.every(({ provider }) => provider.name !== name));
    const remedy = `npm run gateway -- providers set-key <provider> --stack ${gateway.name}`;
    return [
      ready.some((name) => name !== 'bedrock')
        ? ok(`ready: ${ready.join(', ')}. Without a key: ${without.join(', ') || 'none'}.`)
        : warning(
            `ready: ${ready.join(', ') || 'none'}. No other provider has a key.`,
            `Store one: ${remedy}.`,
          ),
      ...incomplete.map(({ provider, problem }) =>
        warning(`${provider.name} has settings, but ${problem}.`, `Set it: ${remedy}.`),
      ),
    ];
  },
};
