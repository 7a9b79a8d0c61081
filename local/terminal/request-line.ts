/** One request of a local gateway as one line for a person. */
import { styleText } from 'node:util';

/** What the HTTP server knows of a request. */
interface RequestHead {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** Fields of the log line that a function writes for a request. All are optional: a failed request has few. */
export interface RequestFields {
  readonly status?: unknown;
  readonly model?: unknown;
  readonly provider?: unknown;
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_ms?: unknown;
  readonly error?: unknown;
  readonly error_code?: unknown;
}

/** Local time, method, path, status, error, model, provider, tokens and duration; what is not known is left out. */
export function formatRequest({ method, path }: RequestHead, fields: RequestFields, now: Date): string {
  const { status, model, provider, prompt_tokens, completion_tokens, total_ms } = fields;
  const tokens = prompt_tokens !== undefined && `${prompt_tokens} in, ${completion_tokens ?? 0} out`;
  const parts = [
    now.toTimeString().slice(0, 8),
    `${method} ${printable(path)}`,
    formatStatus(Number(status)),
    fields.error_code ?? fields.error,
    model !== undefined && printable(String(model)),
    provider !== undefined && `via ${provider}`,
    tokens,
    total_ms !== undefined && `${Math.round(Number(total_ms))} ms`,
  ];
  return parts.filter((part) => part !== undefined && part !== null && part !== false).join('  ');
}

/** A caller's path may contain anything: control characters could move the cursor, or forge a line. */
const printable = (text: string) => text.slice(0, 100).replaceAll(/\p{Cc}/gu, '�');

function formatStatus(status: number): string {
  if (status >= 500) return styleText('red', String(status), { stream: process.stdout });
  if (status >= 400) return styleText('yellow', String(status), { stream: process.stdout });
  return styleText('green', String(status), { stream: process.stdout });
}
