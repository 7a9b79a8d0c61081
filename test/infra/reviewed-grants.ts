/** What roles may do that no function asks for in the tests, each with its reason. */
export interface ReviewedGrant {
  /** The functions, or all of them. */
  readonly functions: readonly string[] | 'all';
  /** With `*` for any text. */
  readonly action: string;
  readonly resource: string;
  readonly reason: string;
}

export const reviewedGrants: readonly ReviewedGrant[] = [
  {
    functions: 'all',
    action: 'logs:*',
    resource: '*',
    reason: 'Lambda writes the log of a function with the role of the function.',
  },
  {
    functions: ['aggregate'],
    action: 'dynamodb:*',
    resource: '*/stream/*',
    reason: 'Lambda reads the stream with the role of the function.',
  },
  {
    functions: ['aggregate'],
    action: 'sqs:*',
    resource: '*',
    reason: 'Lambda sends batches that were given up with the role of the function.',
  },
  {
    functions: ['aggregate'],
    action: 'dynamodb:PutItem',
    resource: '*/usage',
    reason: 'It finishes requests whose process has ended, 46 minutes later (test/metering).',
  },
  {
    functions: ['aggregate'],
    action: 'dynamodb:UpdateItem',
    resource: '*/access',
    reason: 'It allocates the use of credit that expires, some minutes later (test/metering/credit).',
  },
  {
    functions: ['responses'],
    action: 'dynamodb:UpdateItem',
    resource: '*/state',
    reason:
      'A later response that shares parts of a large conversation keeps them for longer (lib/stores/responses).',
  },
  {
    functions: ['completions', 'messages-count-tokens'],
    action: 'dynamodb:*',
    resource: '*/state',
    reason: 'The names of caches at Google, with the operations that can mark what is cached.',
  },
  {
    functions: ['usage-request'],
    action: 'dynamodb:Scan',
    resource: '*/catalog',
    reason:
      'Readers of the catalog look for names, too: GatewayTable has one list of actions for all of them.',
  },
  {
    functions: ['responses-input-tokens', 'messages-count-tokens', 'embeddings'],
    action: 'bedrock:*',
    resource: '*:inference-profile/*',
    reason:
      'Tokens are counted, and texts embedded, by models themselves today; a row of the catalog may name a profile.',
  },
  {
    functions: 'all',
    action: 'bedrock:*',
    resource: '*:application-inference-profile/*',
    reason: 'Operators make these, to see the costs of a team, and name them in rows of their own.',
  },
  {
    functions: ['responses-compact', 'embeddings', 'images-generations'],
    action: 'bedrock:InvokeModelWithResponseStream',
    resource: '*',
    reason:
      'Granted together with InvokeModel, which reaches the same models; these operations do not stream.',
  },
  {
    functions: ['images-generations'],
    action: 'bedrock:InvokeModel',
    resource: '*',
    reason:
      'No model of Bedrock in the catalog generates images yet; a row may be added without a deployment.',
  },
];
