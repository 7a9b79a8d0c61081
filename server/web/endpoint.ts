/** The address on which a Web Function listens. */

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port`, as Lambda sets it.
 * @throws Error that names the variable.
 */
export function readEndpoint(text = ''): Endpoint {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== undefined && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new Error('AWS_LAMBDA_HTTP_ENDPOINT must be a host and a port, such as 0.0.0.0:3000.');
}
