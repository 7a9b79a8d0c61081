/**
 * What providers do with what they are sent, by their own documents, where an account has no contract of its own. What is not known is
 * left out, and complies with nothing. An operator's facts replace these: those of a provider in the catalog's table, those of a
 * deployment in its row (`collectsData`, `retainsData`).
 */
import type { Target } from './model.ts';

export interface ProviderData {
  /** How long content is kept for every request, in days; 0: not at all. */
  readonly retentionDays?: number;
  /** The same for content that a classifier or a failure has flagged. */
  readonly flaggedDays?: number;
  readonly trains?: boolean;
  /**
   * Features of requests with which nothing is kept either, where that is so without them: `web_search`, the type of a tool of the
   * provider's, or `store`. With any other, something may be kept.
   */
  readonly zdrFeatures?: readonly string[];
}

interface DocumentedData extends ProviderData {
  /** Only of models that are older, in Unix seconds. */
  readonly madeBefore?: number;
  readonly source: string;
  /** The day on which the source was read. */
  readonly checked: string;
}

const day = (date: string) => Date.parse(date) / 1000;

const checked = '2026-11-28';

/** Of all managed models. Prompts may be logged, and are cached for a day. */
const vertex: DocumentedData = {
  trains: false,
  source: 'docs.cloud.google.com gemini-enterprise-agent-platform/resources/zero-data-retention',
  checked,
};

export const providerData: Readonly<Record<string, DocumentedData>> = {
  anthropic: { trains: false, source: 'platform.claude.com manage-claude/api-and-data-retention', checked },
  azure: {
    trains: false,
    source: 'learn.microsoft.com azure/ai-foundry/responsible-ai/openai/data-privacy',
    checked,
  },
  // The models since Claude Fable 5 have terms of their own, and those of OpenAI keep what is flagged.
  bedrock: {
    retentionDays: 0,
    flaggedDays: 0,
    trains: false,
    madeBefore: day('2026-06-09'),
    source: 'docs.aws.amazon.com bedrock userguide/data-retention and abuse-detection',
    checked,
  },
  fireworks: {
    retentionDays: 0,
    flaggedDays: 0,
    trains: false,
    source: 'docs.fireworks.ai guides/security_compliance/data_handling',
    checked,
  },
  // Of accounts that pay: of others, Google may use what it is sent. It is logged for a time that the document does not state.
  google: { trains: false, source: 'ai.google.dev gemini-api/docs/zdr', checked },
  'google-vertex': vertex,
  'google-vertex-anthropic': vertex,
  // Inputs of failures and of suspected abuse are logged, unless that is switched off in the console.
  groq: { retentionDays: 0, flaggedDays: 30, source: 'console.groq.com docs/your-data', checked },
  // Whether content trains its models depends on the plan.
  mistral: {
    retentionDays: 30,
    flaggedDays: 30,
    source: 'legal.mistral.ai privacy policy, docs.mistral.ai admin/monitor-comply/zero-data-retention',
    checked: '2026-11-29',
  },
  openai: {
    retentionDays: 30,
    flaggedDays: 30,
    trains: false,
    source: 'developers.openai.com api/docs/guides/your-data',
    checked,
  },
  xai: {
    retentionDays: 30,
    flaggedDays: 30,
    trains: false,
    source: 'docs.x.ai developers/faq/security',
    checked,
  },
};

/** What is known of a target. `own`: of the operator, by provider. */
interface TargetData {
  readonly keepsNothing: boolean;
  readonly trains: boolean;
  readonly collects: boolean;
  readonly zdrFeatures: readonly string[];
}

export type OwnData = Readonly<Record<string, ProviderData>>;

export function dataOf({ model, deployment, credential }: Target, own: OwnData = {}): TargetData {
  const { provider } = deployment;
  // The operator's contract is of no use to a tenant's own account.
  const { collectsData, retainsData } = credential ?? deployment;
  const documented = Object.hasOwn(providerData, provider) ? providerData[provider] : undefined;
  const { madeBefore = Number.POSITIVE_INFINITY } = documented ?? {};
  const facts = {
    ...(model.created < madeBefore ? documented : trainingOf(documented)),
    ...(!credential && own[provider]),
  };
  const isKept = retainsData ?? !keepsNothing(facts);
  const trains = collectsData === false ? false : collectsData === true || facts.trains !== false;
  return {
    keepsNothing: !isKept,
    trains,
    // What is kept may be used for something.
    collects: collectsData ?? (isKept || trains),
    zdrFeatures: facts.zdrFeatures ?? [],
  };
}

export const keepsNothing = ({ retentionDays, flaggedDays }: ProviderData): boolean =>
  retentionDays === 0 && flaggedDays === 0;

/** Terms of a model's own are about what is kept. */
const trainingOf = ({ trains }: ProviderData = {}): ProviderData => (trains === undefined ? {} : { trains });
