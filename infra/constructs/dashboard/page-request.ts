/**
 * What CloudFront does with a request before it looks for the file: each address of the dashboard is its index, and the root leads to it. It
 * runs at the edge, by itself, so it is text here. Source: docs.aws.amazon.com CloudFront, functions-event-structure.
 */

/** In the bucket. */
export const pageIndex = 'dashboard/index.html';

/** Where the root leads. */
const start = '/dashboard/overview';

export const pageRequest = `function handler(event) {
  var request = event.request;
  var path = request.uri;
  if (path === '/' || path === '/dashboard' || path === '/dashboard/')
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '${start}' } } };
  if (/^\\/dashboard\\/[^/.]+$/.test(path)) request.uri = '/${pageIndex}';
  return request;
}
`;
