/**
 * The parts of the code that are mutated, and the tests that must notice: those written for the part, and of the tests
 * over HTTP the ones that are about it. All tests for each mutant would take days.
 */
export interface Part {
  /** In the project. */
  readonly folder: string;
  readonly tests: readonly string[];
  /** Tests of those that take too long to run for each mutant: they start a gateway, or try thousands of requests. */
  readonly except?: readonly string[];
  /** Files that only run in a process of their own, which no mutant reaches. */
  readonly unreached?: readonly string[];
}

export const parts: readonly Part[] = [
  {
    folder: 'lib/routing',
    tests: ['test/routing/**'],
  },
  {
    folder: 'lib/http',
    tests: ['test/http/**'],
  },
  {
    folder: 'lib/metering',
    tests: ['cost', 'limits', 'ledger-repair', 'meter'].map((name) => `test/metering/${name}.test.ts`),
  },
  {
    folder: 'lib/stores',
    tests: [
      'test/stores/**',
      ...['large-lists', 'requests', 'sessions', 'usage'].map((name) => `test/admin/${name}.test.ts`),
      ...['alerts/alerts', 'leaked', 'ledger-repair', 'price-kinds'].map(
        (name) => `test/metering/${name}.test.ts`,
      ),
      ...['bedrock-routes', 'operator-hosts'].map((name) => `test/providers/${name}.test.ts`),
      'test/server/ledger-stream.test.ts',
    ],
    except: ['conversations-property', 'limits-shards'].map((name) => `test/stores/${name}.test.ts`),
  },
  {
    folder: 'lib/admin',
    tests: ['test/admin/**'],
    except: ['test/admin/speed.test.ts', 'test/admin/large-lists.test.ts'],
  },
  {
    folder: 'lib/operations',
    tests: [
      'test/operations/**',
      'test/contract/completions/**',
      'test/conformance/tools/**',
      'test/pipeline/frames.test.ts',
      'test/protocols/replay.test.ts',
      ...[
        'audio-and-video',
        'chat-fields',
        'choices',
        'names',
        'reasoning',
        'routing-words',
        'unknown-fields',
      ]
        .concat('images/generations', 'images/images', 'embeddings/recorded')
        .concat(
          'responses/compact',
          'responses/edit-loop',
          'responses/input-tokens',
          'responses/protocol-items',
        )
        .map((name) => `test/conformance/${name}.test.ts`),
      ...['bad-input', 'models', 'tags', 'usage-request']
        .concat('openai/every-parameter', 'openai/images-generate')
        .concat('openai-responses/input-items', 'openai-responses/retrieve', 'openai-responses/stored-routes')
        .map((name) => `test/contract/${name}.test.ts`),
    ],
    except: [
      ...['any-block', 'write-random', '*-speed'].map((name) => `test/operations/messages/${name}.test.ts`),
      ...['memory', 'tokens'].map((name) => `test/operations/embeddings/${name}.test.ts`),
    ],
  },
  {
    folder: 'lib/protocols',
    tests: [
      'test/protocols/**',
      ...['cached-content', 'host-dialects', 'host-failures', 'native-fields', 'responses'].map(
        (name) => `test/providers/${name}.test.ts`,
      ),
    ],
  },
  {
    folder: 'server',
    tests: ['test/server/*.test.ts'],
    except: [
      'aggregate-process',
      'crashes',
      'drain',
      'health',
      'large-answers',
      'large-bodies',
      'leaving',
      'ledger-stream',
      'shared-caches',
      'start',
      'storm',
      'workers',
    ].map((name) => `test/server/${name}.test.ts`),
    unreached: [
      ...['aggregate', 'export', 'main', 'service', 'web/*', 'metrics/metrics'],
      ...['crashes', 'figures', 'primary', 'worker'].map((name) => `process/${name}`),
    ].map((name) => `server/${name}.ts`),
  },
  {
    folder: 'lib/pipeline',
    tests: ['test/pipeline/**', 'test/operations/generation/**'],
  },
  {
    folder: 'lib/normalization',
    tests: ['test/normalization/**'],
    except: ['test/normalization/upstream.test.ts', 'test/normalization/explained.test.ts'],
  },
  {
    folder: 'lib/providers',
    tests: [
      'test/providers/**',
      ...['rules', 'responses-only'].map((name) => `test/normalization/${name}.test.ts`),
      'test/protocols/embeddings/encode.test.ts',
      'test/protocols/openai-chat/dialect.test.ts',
      'test/protocols/google-generate-content/web-search.test.ts',
    ],
    except: ['azure', 'bedrock', 'caller-paths-upstream', 'matrix', 'responses-upstream'].map(
      (name) => `test/providers/${name}.test.ts`,
    ),
  },
];
