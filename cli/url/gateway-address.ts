/** The address of a gateway as it is given with `--url`: that of the dashboard's API, of the dashboard, or of what both are below. */
import { isLoopback } from '../../server/addresses.ts';
import { UsageError } from '../command.ts';

/** Without a slash at the end, and without the path of the dashboard or its API. Throws UsageError. */
export function readGatewayAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      '--url must be an address such as https://gateway.example, without a name or password.',
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
    throw new UsageError('--url must begin with https://: http:// is for gateways of this machine only.');
  const path = url.pathname.replace(/\/(dashboard|admin)(\/.*)?$/, '').replace(/(?<!\/)\/+$/, '');
  return url.origin + path;
}
