/** The code of what the playground would send next. The key is not in it. */
import { useState } from 'preact/hooks';
import { asError } from '../../api/api-error.ts';
import { Code } from '../../components/code.tsx';
import { Tabs } from '../../components/controls.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Dialog } from '../../components/windows.tsx';
import { codeFor, withoutData } from './code-for.ts';
import type { PlaygroundBody } from './conversation.ts';

interface CodeWindowProps {
  /** Throws what is wrong with a setting. */
  readonly body: () => PlaygroundBody;
  readonly baseUrl: string;
  readonly onClose: () => void;
}

export function CodeWindow({ body, baseUrl, onClose }: CodeWindowProps) {
  const [open, setOpen] = useState('curl');
  const { snippets, error } = written(body, baseUrl);
  const shown = snippets.find(({ name }) => name === open);
  return (
    <Dialog title="Code of this request" wide onClose={onClose}>
      {error && <ErrorState error={error} />}
      {shown && (
        <div class="form">
          <Tabs label="Language" tabs={snippets} value={open} onChange={setOpen} />
          <Code text={withoutData(shown.text)} copied={shown.text} label={shown.title} />
          <p class="hint">
            <code>GATEWAY_API_KEY</code> is an API key of the gateway.
          </p>
        </div>
      )}
    </Dialog>
  );
}

function written(body: CodeWindowProps['body'], baseUrl: string) {
  try {
    return { snippets: codeFor(body(), baseUrl) };
  } catch (thrown) {
    return { snippets: [], error: asError(thrown) };
  }
}
