/** `providers set-data`: what a contract with a provider says of the content that it is sent. */
import { asUsageError, callAdmin } from '../call-admin.ts';
import { type Command, UsageError } from '../command.ts';
import { readList, readWhole } from '../tenants/limit-options.ts';

const answers: Readonly<Record<string, boolean>> = { yes: true, no: false };

function readAnswer(text: string): boolean {
  const answer = answers[text];
  if (answer === undefined) throw new UsageError(`--trains must be yes or no, not ${text}.`);
  return answer;
}

const providersSetData: Command = {
  name: 'providers set-data',
  summary: 'Say what a provider keeps of what it is sent, and whether it trains on it',
  description:
    'By your contract with it. It replaces what was said before as a whole; without options, what the provider documents holds again. Zero retention takes --retention-days 0 --flagged-days 0.',
  arguments: ['provider'],
  options: {
    'retention-days': { value: '<days>', description: 'How long content is kept (0: not at all)' },
    'flagged-days': { value: '<days>', description: 'The same for content that was flagged' },
    trains: { value: 'yes|no', description: 'Whether the provider trains on it' },
    'zdr-features': {
      value: '<list>',
      description: 'Features with which nothing is kept either: web_search, types of tools, store',
    },
  },
  examples: ['providers set-data openai --retention-days 0 --flagged-days 0 --zdr-features web_search'],
  async run({ options, terminal, ...context }) {
    const [provider = ''] = context.arguments;
    const {
      'retention-days': retention,
      'flagged-days': flagged,
      trains,
      'zdr-features': features,
    } = options;
    const input = {
      provider,
      ...(retention !== undefined && { retention_days: readWhole(retention) }),
      ...(flagged !== undefined && { flagged_days: readWhole(flagged) }),
      ...(trains !== undefined && { trains: readAnswer(trains) }),
      ...(features !== undefined && { zdr_features: readList(features) }),
    };
    const stored = await callAdmin(context, 'admin-providers-data', input).catch(asUsageError);
    const whose = stored.written_by === 'operator' ? 'as you say' : 'as it documents';
    terminal.write(`What ${provider} keeps is known ${whose}. It takes effect within ten seconds.`);
  },
};

export const providerDataCommands: readonly Command[] = [providersSetData];
