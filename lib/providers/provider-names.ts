/** The names of the providers that ship with the gateway, by the family they are loaded with, and the form of any name. */
import { hostNames } from './hosts/hosts.ts';

export const familyNames = {
  openai: ['openai', 'azure', 'cohere', ...hostNames, 'voyage', 'jina'],
  claude: ['anthropic', 'bedrock'],
  google: ['google', 'google-vertex', 'google-vertex-anthropic'],
} as const;

export const providerNames: readonly string[] = Object.values(familyNames).flat();

/** Whether a text has the form of a provider's name: lower case with single dashes. */
export const isProviderName = (text: string): boolean =>
  text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text);
