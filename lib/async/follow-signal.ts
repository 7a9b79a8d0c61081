/** A controller that is aborted with the signal, or earlier. It keeps a listener: use `AbortSignal.any` for long-lived signals. */
export function followSignal(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return controller;
}
