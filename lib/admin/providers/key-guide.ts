/**
 * What people call the providers that ship with the gateway, and where they get a key. The addresses are those that public clients of
 * the providers name beside their fields for a key (read on 2026-11-23); where none is known, there is none here.
 */
interface KeyGuide {
  readonly name: string;
  readonly how: string;
  readonly url: string | null;
}

const key = (name: string, url: string): KeyGuide => ({ name, how: `Create an API key at ${name}.`, url });

const serviceAccount: Omit<KeyGuide, 'name'> = {
  how: 'Create the JSON key of a service account and store it as credentials, with the project and, for one region, the location.',
  url: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
};

const guides: Readonly<Record<string, KeyGuide>> = {
  openai: key('OpenAI', 'https://platform.openai.com/api-keys'),
  anthropic: key('Anthropic', 'https://platform.claude.com/settings/keys'),
  google: key('Google AI Studio', 'https://aistudio.google.com/apikey'),
  'google-vertex': { name: 'Google Vertex AI', ...serviceAccount },
  'google-vertex-anthropic': { name: 'Claude on Vertex AI', ...serviceAccount },
  'google-vertex-ranking': { name: 'Ranking of Vertex AI Search', ...serviceAccount },
  bedrock: {
    name: 'Amazon Bedrock',
    how: 'In AWS, the role of the gateway is enough. Elsewhere give it AWS credentials, or store an API key of Amazon Bedrock.',
    url: null,
  },
  azure: {
    name: 'Azure OpenAI',
    how: 'Copy a key and the address of your resource; store them as api-key and base-url.',
    url: 'https://ai.azure.com',
  },
  'azure-cohere': {
    name: 'Cohere on Azure',
    how: 'It is called with the key of Azure OpenAI and the address of the same resource.',
    url: 'https://ai.azure.com',
  },
  'alibaba-dashscope': {
    name: 'DashScope',
    how: 'It is called with the key of Alibaba Cloud Model Studio.',
    url: 'https://modelstudio.console.alibabacloud.com/',
  },
  cohere: key('Cohere', 'https://dashboard.cohere.com/api-keys'),
  voyage: key('Voyage AI', 'https://dashboard.voyageai.com/organization/api-keys'),
  jina: key('Jina AI', 'https://jina.ai/api-dashboard'),
  mistral: key('Mistral', 'https://console.mistral.ai/api-keys'),
  xai: key('xAI', 'https://console.x.ai/'),
  perplexity: key('Perplexity', 'https://www.perplexity.ai/account/api/keys'),
  groq: key('Groq', 'https://console.groq.com/keys'),
  together: key('Together AI', 'https://api.together.ai/settings/api-keys'),
  fireworks: key('Fireworks AI', 'https://fireworks.ai/api-keys'),
  cerebras: key('Cerebras', 'https://cloud.cerebras.ai/'),
  openrouter: key('OpenRouter', 'https://openrouter.ai/settings/keys'),
  huggingface: {
    name: 'Hugging Face',
    how: 'Create an access token with the permission "Make calls to Inference Providers".',
    url: 'https://huggingface.co/settings/tokens',
  },
  deepseek: key('DeepSeek', 'https://platform.deepseek.com/api_keys'),
  moonshot: key('Moonshot AI', 'https://platform.moonshot.ai/console/api-keys'),
  alibaba: {
    name: 'Alibaba Cloud Model Studio',
    how: 'Create an API key in the international console of Model Studio.',
    url: null,
  },
  zai: key('Z.ai', 'https://z.ai/manage-apikey/apikey-list'),
  minimax: key('MiniMax', 'https://platform.minimax.io/user-center/basic-information/interface-key'),
  'self-hosted': {
    name: 'Self-hosted',
    how: 'Set its base URL, and its key if the server asks for one.',
    url: null,
  },
};

/** For a host that the operator added: its name, and that the key is its own. */
export const keyGuideOf = (provider: string): KeyGuide =>
  guides[provider] ?? {
    name: provider,
    how: 'Ask the people who run this host for a key, if it needs one.',
    url: null,
  };
