/**
 * A signal that aborts on the first Ctrl-C or SIGTERM; the second one ends the process immediately.
 *
 * @param onFirst called before it aborts
 */
export function stopOnSignal(onFirst: () => void): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(130);
    onFirst();
    stopping.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopping.signal;
}
