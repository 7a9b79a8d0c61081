/** Secrets that were just made, once. When the dialog closes, they are in no part of the page. */
import type { ComponentChildren } from 'preact';
import { Code } from '../../components/code.tsx';
import { Button } from '../../components/controls.tsx';
import { Dialog } from '../../components/windows.tsx';

interface NewSecretsProps {
  readonly title: string;
  /** By what they are shown as. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  /** What they are for. */
  readonly children: ComponentChildren;
}

export function NewSecrets({ title, secrets, onClose, children }: NewSecretsProps) {
  const footer = (
    <Button kind="main" onClick={onClose}>
      I have saved it
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} isShownOnce footer={footer}>
      <p>
        Copy it now: it is shown <strong>only here, and only once</strong>. {children}
      </p>
      {Object.entries(secrets).map(([label, secret]) => (
        <div key={label} class="field">
          <span class="quiet">{label}</span>
          <Code text={secret} label={label} />
        </div>
      ))}
    </Dialog>
  );
}

/** With what is posted to a tenant, or asked of a webhook of its guardrails. */
export const WebhookSecret = (props: Omit<NewSecretsProps, 'title' | 'children'>) => (
  <NewSecrets title="The secret of the webhook" {...props}>
    What is posted is signed with it.
  </NewSecrets>
);
