/** The start of the page. */
import { render } from 'preact';
import { openSession } from './api/session.ts';
import { App } from './shell/app.tsx';
import { watchDeployments } from './shell/deployments.ts';

watchDeployments();
void openSession();
const root = document.getElementById('root');
if (root) render(<App />, root);
