/** A controller that is aborted with a signal, at the latest. `AbortSignal.any` does that for signals that outlive each other. */
export function followSignal(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return controller;
}
