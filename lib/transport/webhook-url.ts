/** Which URLs alerts may be posted to, as far as the URL itself shows. `webhook-poster.ts` checks the addresses behind its name with each alert. */
import { isIP } from 'node:net';

/** Plain http is for the operator's own machine. */
export const hasWebhookScheme = ({ protocol }: URL, isLocal: boolean): boolean =>
  protocol === 'https:' || (isLocal && protocol === 'http:');

/** What is wrong with a URL, after the name of its field; undefined: nothing. */
export async function webhookProblem(text: string, isLocal: boolean): Promise<string | undefined> {
  const url = URL.parse(text);
  if (!url || !hasWebhookScheme(url, isLocal))
    return 'must be a URL such as https://hooks.example.com/budget';
  if (url.username || url.password) return 'must not have a name or a password';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLocal || isIP(host) === 0) return undefined;
  const { isPublicAddress } = await import('./address-guard.ts');
  return isPublicAddress(host) ? undefined : 'must not name an address outside the public internet';
}
