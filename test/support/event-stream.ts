import { request, type IncomingMessage } from 'node:http';

/** One event as it came over the wire. */
export interface WireEvent {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** What a connection to a ticket's stream brought, and whether the server ended it in good order. */
export interface Heard {
  readonly status: number;
  readonly events: WireEvent[];
  readonly ended: 'by the server' | 'cut';
}

/**
 * Reads a ticket's stream on a connection of its own until it ends, is cut, or `enough` says so. It is a plain reader, so
 * that the SDK's own cleverness proves nothing here.
 *
 * @param enough hears of every whole event; true cuts the connection
 */
export function readStream(
  url: string,
  ticketId: string,
  token: string,
  lastEventId: string | undefined,
  enough: (event: WireEvent) => boolean = () => false,
): Promise<Heard> {
  return new Promise((resolve) => {
    const events: WireEvent[] = [];
    let status = 0;
    const call = request(
      `${url}/v1/tickets/${ticketId}/events`,
      {
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
      },
      (response: IncomingMessage) => {
        status = response.statusCode ?? 0;
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          // An event counts once its blank line is here: half of one is none.
          const frames = (rest + chunk).split('\n\n');
          rest = frames.pop() ?? '';
          for (const event of frames.flatMap(parse)) {
            events.push(event);
            if (enough(event)) {
              call.destroy();
              return;
            }
          }
        });
        response.on('end', () => resolve({ status, events, ended: 'by the server' }));
        response.on('error', () => resolve({ status, events, ended: 'cut' }));
        response.on('close', () => resolve({ status, events, ended: 'cut' }));
      },
    );
    call.on('error', () => resolve({ status, events, ended: 'cut' }));
    call.end();
  });
}

function parse(frame: string): WireEvent[] {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const [id, data] = [fields.get('id'), fields.get('data')];
  return id === undefined || data === undefined
    ? []
    : [{ id, data: JSON.parse(data) as Record<string, unknown> }];
}
