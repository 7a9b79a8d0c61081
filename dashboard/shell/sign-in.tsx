/** The three ways in: the organisation's sign-in, a gateway key, or an address that the gateway prints. */
import { useState } from 'preact/hooks';
import { openSession, signInAddress, signInWithKey, type Way } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';

interface SignInProps {
  readonly ways: readonly Way[];
  readonly ended: boolean;
  readonly problem?: string;
}

export function SignIn({ ways, ended, problem }: SignInProps) {
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <h1>Model gateway</h1>
        {ended && <p role="status">The session has ended. Sign in again: this page opens where it was.</p>}
        {problem && (
          <p role="alert">
            {problem}{' '}
            <Button size="small" onClick={() => void openSession()}>
              Try again
            </Button>
          </p>
        )}
        {ways.includes('oidc') && (
          <ButtonLink kind="main" href={signInAddress()}>
            Sign in
          </ButtonLink>
        )}
        {ways.includes('address') && (
          <p>
            Open the address that <code>npm start</code> prints, or get a new one with{' '}
            <code>npm run gateway dashboard</code>.
          </p>
        )}
        {ways.includes('key') && <KeyForm />}
      </div>
    </main>
  );
}

function KeyForm() {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get('key') ?? '').trim();
    setBusy(true);
    signInWithKey(key)
      .catch((thrown: Error) => setProblem(thrown.message))
      .finally(() => {
        form.reset();
        setBusy(false);
      });
  };
  return (
    <form onSubmit={submit}>
      <label>
        API key
        <input name="key" type="password" autocomplete="off" required />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <Button type="submit" isBusy={isBusy}>
        Show its usage
      </Button>
    </form>
  );
}
