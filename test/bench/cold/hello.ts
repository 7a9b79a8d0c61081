/** The baseline of a cold start: a function that streams one event and does nothing else. */
export const handler = awslambda.streamifyResponse(async (_event, stream) => {
  const headers = { 'content-type': 'text/event-stream' };
  const response = awslambda.HttpResponseStream.from(stream, { statusCode: 200, headers });
  response.write('data: hello\n\n');
  response.end();
});
