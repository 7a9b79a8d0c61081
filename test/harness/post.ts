/** Posts a JSON body (or, for a string, that text) with an API key. */
export const postJson = (
  url: string,
  apiKey: string,
  body: unknown,
  {
    headers,
    signal,
  }: { headers?: Readonly<Record<string, string>> | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
