/** What to do where nothing has been requested yet. */

import type { PageProps } from '../api/session.ts';
import { Code } from '../components/code.tsx';
import { Link } from '../components/link.tsx';
import { EmptyState } from '../components/states.tsx';

export function FirstRequest({ session }: PageProps) {
  const command = [
    `curl ${session.gateway_url}/chat/completions \\`,
    "  -H 'Authorization: Bearer <your key>' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"model": "openai/gpt-5.5", "messages": [{"role": "user", "content": "Hello!"}]}'`,
  ].join('\n');
  return (
    <EmptyState title="No requests yet" icon="chart">
      <p>
        Create a key on the page <Link to="keys">Keys</Link>, then send a first request. It is shown here some
        seconds later.
      </p>
      <Code text={command} label="First request" />
    </EmptyState>
  );
}
