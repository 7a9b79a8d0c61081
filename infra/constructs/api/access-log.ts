/** The access log: one JSON line for each request, with statuses and times, and without content of requests or answers. */
export const accessLogFields: Readonly<Record<string, string>> = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  source_ip: '$context.identity.sourceIp',
  /** The response type of the API itself, if no function answered. */
  gateway_response: '$context.error.responseType',
  response_bytes: '$context.responseLength',
  total_ms: '$context.responseLatency',
  /** `STREAMED` or `BUFFERED`. */
  transfer_mode: '$context.integration.responseTransferMode',
  /** Of the function: its last twenty characters are those of the request's id in answers and in the ledger. */
  integration_request_id: '$context.integration.requestId',
  integration_status: '$context.integration.status',
  integration_error: '$context.integration.error',
  headers_ms: '$context.integration.timeToAllHeaders',
  first_byte_ms: '$context.integration.timeToFirstContent',
  integration_ms: '$context.integration.latency',
};
