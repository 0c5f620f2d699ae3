interface TicketEvent {
  readonly seq: number;
  readonly state: string;
  readonly closed: boolean;
}

/** Follows a ticket from a web page, without the SDK, until it is closed. Connects again as often as it must. */
export async function followTicket(
  base: string,
  token: string,
  ticketId: string,
  onEvent: (event: TicketEvent) => void,
): Promise<void> {
  let last = '0';
  for (let pauseMs = 0; ; await new Promise((resolve) => setTimeout(resolve, pauseMs))) {
    pauseMs = 1_000;
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': last };
    const answer = await fetch(`${base}/v1/tickets/${ticketId}/events`, { headers }).catch(() => null);
    if (!answer) continue; // no network
    if (answer.status === 204) return; // nothing more will come
    if (answer.status === 429 || answer.status >= 500) {
      pauseMs = 1_000 * Number(answer.headers.get('retry-after') ?? 1);
      continue;
    }
    if (!answer.ok || !answer.body) throw new Error(await answer.text());
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) break; // connect again, after the last id
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string) => part.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
        const data = JSON.parse(field('data') ?? 'null');
        if (field('event') === 'come-again') pauseMs = data.inMs;
        if (field('event') !== 'ticket') continue; // a comment, or news of a later release
        last = field('id') ?? last;
        onEvent(data);
        if (data.closed) return;
      }
    }
  }
}
