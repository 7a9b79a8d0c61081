/** The outputs with which commands find what belongs to a gateway. */
import { failed, ok, type StackCheck } from '../check.ts';

const neededOutputs = [
  'OpenAiBaseUrl',
  'AnthropicBaseUrl',
  'CatalogTable',
  'AccessTable',
  'StateTable',
  'UsageTable',
  'ProviderParametersPrefix',
  'LedgerDays',
  'Region',
] as const;

export const outputs: StackCheck = {
  id: 'outputs',
  title: 'Outputs',
  of: 'stack',
  about: 'The stack has the outputs that commands read.',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const facts = await gateway.facts();
    if (!facts) return [];
    const missing = neededOutputs.filter((name) => !facts.outputs.has(name));
    if (missing.length === 0) return [ok(`base URL: ${facts.outputs.get('OpenAiBaseUrl')}`)];
    const text = `missing: ${missing.join(', ')}.`;
    return [failed(text, 'The stack is no gateway, or of an older version: deploy it again.')];
  },
};
