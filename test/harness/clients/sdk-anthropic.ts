/**
 * Anthropic's SDK in both of its generations, given nothing but a base URL and a key. From its version 1 it sends the API's version
 * 2026-10-21 and the key as a bearer token; before that 2023-06-01 and `x-api-key`.
 */
import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import Earlier from 'anthropic-sdk-0';
import type { TestGateway } from '../gateways/gateway.ts';
import { useGateway } from '../gateways/use-gateway.ts';

/** A generation of the SDK with a way to send the key. */
interface AnthropicSdk {
  readonly sdk: string;
  readonly client: (gateway: Pick<TestGateway, 'url' | 'apiKey'>, options?: ClientOptions) => Anthropic;
}

const common = ({ url }: Pick<TestGateway, 'url'>) => ({ baseURL: url, maxRetries: 0 });

/** The two have classes of their own, of which the tests use what both have. */
const earlier = (options: object): Anthropic => new Earlier(options) as unknown as Anthropic;

export const anthropicSdks: readonly AnthropicSdk[] = [
  {
    sdk: 'SDK 1, Bearer',
    client: (gateway, options) =>
      new Anthropic({ ...common(gateway), apiKey: gateway.apiKey, authToken: null, ...options }),
  },
  {
    sdk: 'SDK 0, x-api-key',
    client: (gateway, options) =>
      earlier({ ...common(gateway), apiKey: gateway.apiKey, authToken: null, ...options }),
  },
  {
    sdk: 'SDK 0, Bearer',
    client: (gateway, options) =>
      earlier({ ...common(gateway), apiKey: null, authToken: gateway.apiKey, ...options }),
  },
];

/** The newest one, and the earlier one as it is used most. */
export const bothGenerations = anthropicSdks.slice(0, 2);

/** Starts a sandboxed gateway for the tests of a file, and gives a client of it once they run. */
export function useAnthropic(
  environment: Record<string, string> = {},
): (sdk: AnthropicSdk, options?: ClientOptions) => Anthropic {
  const gateway = useGateway(environment);
  return ({ client }, options) => client(gateway(), options);
}

/** The SDK's own classes of errors: each generation has its own. */
export const errorsOf = (client: Anthropic): typeof Anthropic => client.constructor as typeof Anthropic;
