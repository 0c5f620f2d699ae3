import type { FleetScaler, ServerShortage } from '@muster/domain';

/** Asks by an HTTP call: any answer of 2xx means that servers are being started. */
export class WebhookScaler implements FleetScaler {
  constructor(
    private readonly url: string,
    /** Sent as a bearer token. */
    private readonly token: string | undefined,
    private readonly timeoutMs: number,
    /** Gives up what is under way, when the service ends. */
    private readonly ending: AbortSignal,
  ) {}

  async ask({ build, regions, waitingMatches, at }: ServerShortage): Promise<void> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ build, regions, waitingMatches, at }),
      // The token is for this address and no other.
      redirect: 'manual',
      signal: AbortSignal.any([this.ending, AbortSignal.timeout(this.timeoutMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the scaler answered ${response.status}`);
  }
}
