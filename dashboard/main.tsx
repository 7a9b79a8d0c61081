/** The start of the page. */
import { render } from 'preact';
import { openSession } from './api/session.ts';
import { toast } from './components/toast.tsx';
import { App } from './shell/app.tsx';
import { isNewVersion } from './shell/deployments.ts';

if (isNewVersion()) toast('The gateway was updated. The page was loaded again, in its new version.');
void openSession();
const root = document.getElementById('root');
if (root) render(<App />, root);
