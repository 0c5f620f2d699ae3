import { z } from 'zod';
import { noneFound, type AgonesReply, type AgonesRequest } from './agones.js';
import type { AgonesAllocator } from './agones-provider.js';
import type { HttpCaller } from './http-call.client.js';

const Response = z.object({
  gameServerName: z.string().optional(),
  address: z.string().optional(),
  ports: z.array(z.object({ name: z.string().optional(), port: z.number().int().optional() })).optional(),
});
const Failure = z.object({ message: z.string() });

/** Calls the allocator service of Agones as JSON over HTTPS with mutual TLS. */
export class AgonesRestAllocator implements AgonesAllocator {
  /** @param url the origin of the service: `/gameserverallocation` is added */
  constructor(
    private readonly url: string,
    private readonly caller: HttpCaller,
  ) {}

  async allocate(request: AgonesRequest): Promise<AgonesReply> {
    try {
      const { status, text, retryAfterMs } = await this.caller.call({
        method: 'POST',
        url: new URL('/gameserverallocation', this.url),
        body: JSON.stringify(request),
      });
      if (status === 200) return { kind: 'allocated', response: Response.parse(JSON.parse(text)) };
      const message = messageOf(text);
      if (noneFound.test(message)) return { kind: 'none' };
      return {
        kind: 'error',
        error: `the Agones allocator answered ${status}${message === '' ? '' : `: ${message}`}`,
        retryAfterMs,
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        kind: 'error',
        error: `the Agones allocator gave no answer that can be used: ${why}`,
        retryAfterMs: null,
      };
    }
  }
}

function messageOf(text: string): string {
  try {
    return Failure.parse(JSON.parse(text)).message;
  } catch {
    return '';
  }
}
