/** The three sign-in methods: the organisation's sign-in, a gateway key, or an address that the gateway prints. */
import { useEffect, useState } from 'preact/hooks';
import { problemParameter, signInProblems } from '../../lib/admin/sign-in/problems.ts';
import { openSession, signInAddress, signInWithKey, type Way } from '../api/session.ts';
import { Button, ButtonLink } from '../components/controls.tsx';
import { Icon } from '../components/icon.tsx';
import { Problem } from '../components/states.tsx';
import { change, query } from '../state/location.ts';
import { Mark } from './mark.tsx';

interface SignInProps {
  readonly ways: readonly Way[];
  readonly ended: boolean;
  /** Why it is not known whether there is a session. */
  readonly problem?: string;
}

export function SignIn({ ways, ended, problem }: SignInProps) {
  const reason = useReason();
  useEffect(() => {
    document.title = 'Sign in · Model gateway';
  }, []);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="stack">
          <Mark size={32} />
          <h1>Model gateway</h1>
          {ended && <p role="status">The session has ended. After you sign in, this page opens again.</p>}
          {reason && <Problem text={reason} />}
          {problem && (
            <>
              <Problem text={problem} />
              <Button onClick={() => void openSession()}>Try again</Button>
            </>
          )}
        </div>
        {ways.includes('oidc') && (
          <div class="sign-in-way stack">
            <ButtonLink kind="main" href={signInAddress()}>
              Sign in
            </ButtonLink>
          </div>
        )}
        {ways.includes('address') && (
          <div class="sign-in-way stack">
            <h2>On this machine</h2>
            <p class="quiet">
              Open the address that <code>npm start</code> prints. <code>npm run gateway dashboard</code>{' '}
              prints a new one.
            </p>
          </div>
        )}
        {ways.includes('key') && (
          <div class="sign-in-way stack">
            <h2>With an API key</h2>
            <KeyForm isMain={!ways.includes('oidc')} />
          </div>
        )}
      </div>
    </main>
  );
}

/** The part of the address with which a one-time address ends that no longer works. */
const usedAddress = '#used-address';

/** Why a sign-in came to nothing, as its address reports; the address then forgets it. */
function useReason(): string | undefined {
  const [reason, setReason] = useState<string>();
  useEffect(() => {
    const name = query.value.get(problemParameter);
    const problems: Readonly<Record<string, string>> = signInProblems;
    if (name !== null) {
      setReason(problems[name] ?? problems.failed);
      change({ [problemParameter]: null }, { replace: true });
    } else if (location.hash === usedAddress) {
      setReason('This address was used before, or is older than a day. Print a new one.');
      history.replaceState(null, '', location.pathname + location.search);
    }
  }, []);
  return reason;
}

/** The key is in the field and in the request, and nowhere after. */
function KeyForm({ isMain }: { readonly isMain: boolean }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get('key') ?? '').trim();
    setBusy(true);
    setProblem(undefined);
    signInWithKey(key)
      .catch((thrown: Error) => setProblem(thrown.message))
      .finally(() => {
        form.reset();
        setBusy(false);
      });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <div class="field">
        <label for="sign-in-key">API key</label>
        <input
          id="sign-in-key"
          class="input mono"
          name="key"
          type="password"
          autocomplete="off"
          placeholder="mgw_…"
          required
          aria-describedby="sign-in-hint"
          aria-invalid={problem ? true : undefined}
        />
        <p class="hint" id="sign-in-hint">
          Shows what its tenant has used. Nothing can be changed.
        </p>
        {problem && (
          <p class="field-error" role="alert">
            <Icon name="warning" />
            {problem}
          </p>
        )}
      </div>
      <Button type="submit" kind={isMain ? 'main' : undefined} isBusy={isBusy}>
        Look at its usage
      </Button>
    </form>
  );
}
