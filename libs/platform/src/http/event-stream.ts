import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** A reader who reads nothing for this time, or leaves this many bytes unread, is too slow. */
const slowMs = 30_000;
export const maxUnreadBytes = 256 * 1024;

/** Keeps proxies from closing a stream. */
export const stillHere = ': still here\n\n';

/** Sends the head of an event stream. */
export function beginEvents(reply: Pick<FastifyReply, 'raw' | 'hijack' | 'getHeaders'>): ServerResponse {
  const { raw } = reply;
  reply.hijack();
  // Headers that hooks set for every answer, such as CORS.
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.write(': here\n\n');
  return raw;
}

/**
 * Waits until a reader has read what was written.
 *
 * @param most bytes that may be unread
 * @returns false on a timeout, or when more is unread
 */
export function taken(raw: ServerResponse, left: AbortSignal, most = maxUnreadBytes): Promise<boolean> {
  if (raw.writableLength > most) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      raw.off('drain', settle).off('close', settle);
      left.removeEventListener('abort', settle);
      resolve(!raw.writableNeedDrain || raw.destroyed || left.aborted);
    };
    const timer = setTimeout(settle, slowMs);
    raw.on('drain', settle).on('close', settle);
    left.addEventListener('abort', settle);
  });
}
