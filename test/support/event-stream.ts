import { request, type IncomingMessage } from 'node:http';

/** One received event. */
export interface WireEvent {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** The events of a connection to a ticket's stream, and whether the server closed it cleanly. */
export interface StreamRecord {
  readonly status: number;
  readonly events: WireEvent[];
  readonly ended: 'by the server' | 'cut';
}

/**
 * Reads a ticket's stream on its own connection until it ends, is cut, or `enough` returns true. A plain reader,
 * independent of the SDK's logic.
 *
 * @param enough called for every complete event; true cuts the connection
 */
export function readStream(
  url: string,
  ticketId: string,
  token: string,
  lastEventId: string | undefined,
  enough: (event: WireEvent) => boolean = () => false,
): Promise<StreamRecord> {
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
          // An event is complete at its blank line.
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
