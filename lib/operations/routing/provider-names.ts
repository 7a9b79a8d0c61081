/** OpenRouter's names of providers, where the gateway has others. Source: the provider names of openrouter.ai/docs */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'amazon-bedrock': ['bedrock'],
  'google-ai-studio': ['google'],
  'google-vertex': ['google-vertex', 'google-vertex-anthropic'],
  moonshotai: ['moonshot'],
  'moonshot-ai': ['moonshot'],
  'x-ai': ['xai'],
  'z-ai': ['zai'],
  'z.ai': ['zai'],
};

/** The gateway's names. Clients also send display names, such as `Amazon Bedrock`. */
export function gatewayNames(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    return Object.hasOwn(otherNames, slug) ? (otherNames[slug] ?? []) : [slug];
  });
}
