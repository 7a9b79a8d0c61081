/**
 * The names of the providers that ship with the gateway, beside those in the host table, by the family they are loaded
 * with; and the form of any name. Every function loads this file at its start, so it does not load the table.
 */
export const familyNames = {
  openai: ['openai', 'azure'],
  compatible: ['azure-cohere', 'alibaba-dashscope', 'cohere', 'voyage', 'jina'],
  claude: ['anthropic', 'bedrock'],
  google: ['google', 'google-vertex', 'google-vertex-anthropic', 'google-vertex-ranking'],
} as const;

export const ownNames: readonly string[] = Object.values(familyNames).flat();

/** Whether a text has the form of a provider's name: lower case with single dashes. */
export const isProviderName = (text: string): boolean =>
  text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text);
