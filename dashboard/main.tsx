/** The start of the page: sign-in, or navigation and the open page. */
import { render } from 'preact';
import { running } from './api/call.ts';
import { openSession, sessionState } from './api/session.ts';
import { Toasts, toast } from './components/toast.tsx';
import { isNewVersion } from './shell/deployments.ts';
import { Frame } from './shell/frame.tsx';
import { SignIn } from './shell/sign-in.tsx';

const ProgressLine = () => <div class="progress-line" data-busy={running.value > 0} aria-hidden="true" />;

export function App() {
  const now = sessionState.value;
  return (
    <>
      <ProgressLine />
      {now.state === 'out' ? (
        <SignIn {...now} />
      ) : (
        <Frame session={now.state === 'in' ? now.session : undefined} />
      )}
      <Toasts />
    </>
  );
}

if (isNewVersion()) toast('The gateway was updated. The page was loaded again, in its new version.');
void openSession();
const root = document.getElementById('root');
if (root) render(<App />, root);
