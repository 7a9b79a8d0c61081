/** The headers of the dashboard's files, wherever they are served from. */

type Headers = Readonly<Record<string, string>>;

/**
 * What the dashboard may load: its own scripts and styles, none of them inline, and data of its own origin. `connect` are further
 * origins that it may call: that of the API where the dashboard itself is served from elsewhere.
 */
const contentSecurityPolicy = (connect: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Of every file. */
export const pageHeaders = (connect: readonly string[] = []): Headers => ({
  'content-security-policy': contentSecurityPolicy(connect),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
});

/** A new deployment counts at once: the browser asks each time whether the index is still the same. */
export const indexCacheControl = 'no-cache';

/** The name of an asset has a hash of its content. */
export const assetCacheControl = 'public, max-age=31536000, immutable';

const contentTypes: Headers = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** @throws Error for a file of another kind than the dashboard has. */
export function contentTypeOf(path: string): string {
  const type = contentTypes[path.slice(path.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`No content type for ${path}.`);
  return type;
}
