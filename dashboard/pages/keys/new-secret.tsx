/** A new key, once: with what sets up clients for it. When the dialog closes, the secret is in no part of the page. */
import { useState } from 'preact/hooks';
import type { CreatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { Code } from '../../components/code.tsx';
import { Button, Tabs } from '../../components/controls.tsx';
import { Dialog } from '../../components/windows.tsx';
import { modelFor, snippetsFor } from './snippets.ts';

interface NewSecretProps {
  readonly made: CreatedKeyAnswer;
  readonly gatewayUrl: string;
  /** What becomes of the key that this one replaces. */
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function NewSecret({ made, gatewayUrl, note, onClose }: NewSecretProps) {
  const snippets = snippetsFor({ key: made.key, baseUrl: gatewayUrl, model: modelFor(made.models) });
  const [open, setOpen] = useState(snippets[0]?.name ?? '');
  const footer = (
    <Button kind="main" onClick={onClose}>
      I have saved it
    </Button>
  );
  return (
    <Dialog title="Your new key" onClose={onClose} wide isShownOnce footer={footer}>
      <div class="form">
        <p>
          Copy it now: it is shown <strong>only here, and only once</strong>. The gateway keeps a hash of it.{' '}
          {note}
        </p>
        <Code text={made.key} label="The key" />
      </div>
      <div class="form">
        <Tabs label="Client" tabs={snippets} value={open} onChange={setOpen} />
        {snippets
          .find(({ name }) => name === open)
          ?.parts.map(({ label, text }) => (
            <div key={label} class="field">
              <span class="quiet">{label}</span>
              <Code text={text} label={label} />
            </div>
          ))}
      </div>
    </Dialog>
  );
}
