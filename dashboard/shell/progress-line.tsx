/** A thin line at the top while anything loads. */
import { running } from '../api/call.ts';

export const ProgressLine = () => (
  <div class="progress-line" data-busy={running.value > 0} aria-hidden="true" />
);
