/** What an endpoint of the dashboard gets with every call, beside the caller, parameters and body. */
export const anyCall = () => ({
  shown: { isLocal: true, isSecure: false },
  header: () => undefined,
  requestId: 'asking',
  signal: AbortSignal.timeout(60_000),
});
