/** The tenants of the example, their keys, and what each key is used for. */
import type { NewApiKey } from '../../../lib/stores/access/keys.ts';
import type { TenantChange } from '../../../lib/stores/access/tenants.ts';

/** How requests of a key look. Tokens are means; the share is of the input. */
export interface Habit {
  readonly models: readonly string[];
  readonly inputTokens: number;
  readonly cachedShare: number;
  readonly outputTokens: number;
  /** In milliseconds, the mean. */
  readonly firstByteMs: number;
  readonly perDay: number;
  /** People work by day and on weekdays; programs do not care. */
  readonly byPeople: boolean;
  readonly users: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly operation: 'chat-completions' | 'messages' | 'responses' | 'embeddings';
}

export interface ExampleKey extends Omit<NewApiKey, 'tenant'> {
  readonly habit?: Habit;
}

export interface ExampleTenant {
  readonly name: string;
  readonly change: TenantChange;
  readonly keys: readonly ExampleKey[];
}

const dollars = (amount: number) => amount * 1_000_000_000;

const agents = {
  models: ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-5-5', 'anthropic/claude-haiku-5-5'],
  inputTokens: 62_000,
  cachedShare: 0.88,
  outputTokens: 900,
  firstByteMs: 1_400,
  byPeople: true,
  operation: 'messages',
} as const;

const support = {
  models: ['openai/gpt-5.4-mini', 'openai/gpt-5.4-mini', 'openai/gpt-5.4'],
  inputTokens: 3_800,
  cachedShare: 0.55,
  outputTokens: 420,
  firstByteMs: 620,
  byPeople: true,
  operation: 'chat-completions',
} as const;

export const exampleTenants: readonly ExampleTenant[] = [
  {
    name: 'acme-robotics',
    change: { limits: { monthlyBudget: dollars(450), requestsPerMinute: 600 }, alerts: [50, 80, 100] },
    keys: [
      {
        name: 'Coding agents',
        habit: {
          ...agents,
          perDay: 26,
          users: ['ada', 'grace', 'linus', 'margaret', 'alan'],
          tags: { team: 'firmware' },
        },
      },
      {
        name: 'Support assistant',
        habit: { ...support, perDay: 30, users: ['desk-1', 'desk-2', 'desk-3'], tags: { team: 'support' } },
      },
      {
        name: 'Nightly reports',
        habit: {
          ...support,
          perDay: 6,
          byPeople: false,
          models: ['google/gemini-3.8-flash'],
          users: [],
          inputTokens: 18_000,
        },
      },
      { name: 'Old laptop' },
    ],
  },
  {
    name: 'harbor-health',
    change: { limits: { monthlyBudget: dollars(250), dailyBudget: dollars(20) }, alerts: [80, 100] },
    keys: [
      {
        name: 'Triage service',
        habit: {
          ...support,
          perDay: 24,
          byPeople: false,
          users: ['north-clinic', 'harbor-clinic'],
          models: ['anthropic/claude-sonnet-5-5', 'anthropic/claude-haiku-5-5'],
          tags: { app: 'triage' },
        },
      },
      {
        name: 'Search index',
        habit: {
          ...support,
          perDay: 10,
          byPeople: false,
          operation: 'embeddings',
          models: ['openai/text-embedding-3-small'],
          outputTokens: 0,
          cachedShare: 0,
          users: [],
        },
      },
    ],
  },
  {
    name: 'northwind-studio',
    change: { limits: { monthlyBudget: dollars(120) } },
    keys: [
      {
        name: 'Editors',
        habit: {
          ...support,
          perDay: 14,
          models: ['google/gemini-4-argon', 'openai/gpt-5.4'],
          users: ['ines', 'tomas', 'yuki'],
          tags: { project: 'atlas' },
        },
      },
    ],
  },
  {
    name: 'orchard-labs',
    change: { alerts: [100] },
    keys: [
      {
        name: 'Evaluation',
        habit: {
          ...agents,
          perDay: 8,
          byPeople: false,
          models: ['deepseek/deepseek-chat', 'openai/gpt-5.4-nano'],
          inputTokens: 9_000,
          users: [],
        },
      },
    ],
  },
];
