/** The tenants of the example, their keys, and what each key is used for. */
import type { NewApiKey } from '../../../lib/stores/access/keys.ts';
import type { TenantEdit } from '../../../lib/stores/access/tenant-edits.ts';

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

interface ExampleTenant {
  readonly name: string;
  readonly change: TenantEdit;
  readonly keys: readonly (Omit<NewApiKey, 'tenant'> & { readonly habit?: Habit })[];
}

const dollars = (amount: number) => amount * 1_000_000_000;

const agents = {
  models: ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-5-5', 'anthropic/claude-haiku-5-5'],
  inputTokens: 150_000,
  cachedShare: 0.88,
  outputTokens: 2_600,
  firstByteMs: 1_400,
  byPeople: true,
  users: [],
  operation: 'messages',
} as const;

const support = {
  models: ['openai/gpt-5.4-mini', 'openai/gpt-5.4-mini', 'openai/gpt-5.4'],
  inputTokens: 7_800,
  cachedShare: 0.55,
  outputTokens: 780,
  firstByteMs: 620,
  byPeople: true,
  users: [],
  operation: 'chat-completions',
} as const;

const ofPrograms = { ...support, byPeople: false };

export const exampleTenants: readonly ExampleTenant[] = [
  {
    name: 'acme-robotics',
    change: { limits: { monthlyBudget: dollars(120), requestsPerMinute: 600 }, alerts: [50, 80, 100] },
    keys: [
      {
        name: 'Coding agents',
        limits: { dailyBudget: dollars(12), monthlyBudget: dollars(100) },
        habit: {
          ...agents,
          perDay: 26,
          users: ['ada', 'grace', 'linus', 'alan'],
          tags: { team: 'firmware' },
        },
      },
      {
        name: 'Support assistant',
        habit: { ...support, perDay: 30, users: ['desk-1', 'desk-2', 'desk-3'], tags: { team: 'support' } },
      },
      {
        name: 'Nightly reports',
        models: ['google/*'],
        limits: { requestsPerMinute: 60 },
        owner: 'ravi',
        habit: { ...ofPrograms, perDay: 6, models: ['google/gemini-3.8-flash'], inputTokens: 18_000 },
      },
      { name: 'Old laptop' },
    ],
  },
  {
    name: 'harbor-health',
    change: { limits: { monthlyBudget: dollars(25), dailyBudget: dollars(2) }, alerts: [80, 100] },
    keys: [
      {
        name: 'Triage service',
        limits: { monthlyBudget: dollars(20), requestsPerMinute: 300 },
        habit: {
          ...ofPrograms,
          perDay: 24,
          users: ['north-clinic', 'harbor-clinic'],
          models: ['anthropic/claude-sonnet-5-5', 'anthropic/claude-haiku-5-5'],
          tags: { app: 'triage' },
        },
      },
      {
        name: 'Search index',
        habit: {
          ...ofPrograms,
          perDay: 10,
          operation: 'embeddings',
          models: ['openai/text-embedding-3-small'],
          outputTokens: 0,
          cachedShare: 0,
        },
      },
    ],
  },
  {
    name: 'northwind-studio',
    change: { limits: { monthlyBudget: dollars(10) } },
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
        expiresAt: Math.floor(Date.now() / 1000) + 5 * 86_400,
        habit: { ...ofPrograms, perDay: 8, models: ['deepseek/deepseek-chat', 'openai/gpt-5.4-nano'] },
      },
    ],
  },
];
