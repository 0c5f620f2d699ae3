import { PlayerClient } from '@muster/sdk';

/** Reads a ticket, for 20 s at most, or until `stop` is aborted. */
export function readWithin20s(
  url: string,
  token: string,
  ticketId: string,
  stop: AbortController,
): ReturnType<PlayerClient['read']> {
  const player = new PlayerClient({ url, token });
  return player.read(ticketId, { signal: stop.signal, patienceMs: 20_000 }); // 0 for one try
}
