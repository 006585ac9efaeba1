/**
 * Makes a controller that is aborted together with the signal, and can be by itself. Unlike
 * `AbortSignal.any`, whose signals the runtime may collect while a request still waits on them.
 */
export function linked(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller;
}
