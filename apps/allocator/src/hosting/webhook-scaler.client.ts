import type { FleetScaler, ServerShortage } from '@muster/domain';

/** Requests servers by an HTTP call. A 2xx status means that servers are being started. */
export class WebhookScaler implements FleetScaler {
  constructor(
    private readonly url: string,
    /** Sent as a bearer token. */
    private readonly token: string | undefined,
    private readonly timeoutMs: number,
    /** Aborts requests when the service stops. */
    private readonly ending: AbortSignal,
  ) {}

  async ask(shortage: ServerShortage): Promise<void> {
    const limit = new AbortController();
    // Not `AbortSignal.timeout`: Node 20 collects one that only `AbortSignal.any` refers to, and it never fires.
    const timer = setTimeout(() => limit.abort(tooLate(this.timeoutMs)), this.timeoutMs);
    try {
      const response = await this.post(shortage, AbortSignal.any([this.ending, limit.signal]));
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the scaler answered ${response.status}`);
    } finally {
      clearTimeout(timer);
    }
  }

  private post(
    { build, regions, labels, waitingMatches, slots, servers, at }: ServerShortage,
    signal: AbortSignal,
  ): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({
        build,
        regions,
        ...(labels ? { labels } : {}),
        waitingMatches,
        slots,
        servers,
        at,
      }),
      // The token must not be sent to another address.
      redirect: 'manual',
      signal,
    });
  }
}

const tooLate = (ms: number): Error =>
  new DOMException(`The scaler did not answer within ${ms} ms.`, 'TimeoutError');
