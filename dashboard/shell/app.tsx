/** The whole page: sign-in, or navigation and the open page. */
import { sessionState } from '../api/session.ts';
import { Toasts } from '../components/toast.tsx';
import { Frame } from './frame.tsx';
import { ProgressLine } from './progress-line.tsx';
import { SignIn } from './sign-in.tsx';

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
