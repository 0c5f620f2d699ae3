// A service for tests of the edge, in its own process so that it can be frozen and killed. Prints its port. Streams and
// polls stay open; `/v1/queues` is 70 KiB; `/v1/matches/export` is 16 MiB, or breaks off half-way with `x-half`; `x-slow: <ms>` delays the answer; `x-reset: <name>` makes that replica reset the connection after it has read the call. After SIGUSR2 it is not ready.
import { createServer } from 'node:http';

const [name] = process.argv.slice(2);
let open = 0;
let large = 0;
let isReady = true;
process.on('SIGUSR2', () => (isReady = false));
const server = createServer((request, response) => {
  const { headers, url = '', method } = request;
  if (url === '/health/ready') return void response.writeHead(isReady ? 200 : 503).end('{}');
  const waits = url.includes('/commands') || url.endsWith('/events');
  if (waits) {
    open++;
    response.on('close', () => open--);
  }
  if (url.includes('/commands')) return;
  if (url.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return void response.write(': here\n\n');
  }
  if (url === '/v1/queues') {
    large++;
    return void response.writeHead(200).end(Buffer.alloc(70 * 1024));
  }
  if (url.includes('/export')) return exportTo(response, headers['x-half'] !== undefined);
  request.resume().on('end', () => {
    if (headers['x-reset'] === name) return void request.socket.destroy();
    const said = {
      replica: name,
      method,
      key: headers['idempotency-key'],
      hop: headers['x-hop'],
      from: headers['x-forwarded-for'],
      open,
      large,
    };
    setTimeout(
      () => {
        response.writeHead(Number(headers['x-status'] ?? 200), { 'content-type': 'application/json' });
        response.end(JSON.stringify(said));
      },
      Number(headers['x-slow'] ?? 0),
    );
  });
});

/** As fast as the reader takes it. */
function exportTo(response, onlyHalf) {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  let left = onlyHalf ? 128 : 256;
  const more = () => {
    while (left > 0) {
      left--;
      if (!response.write(Buffer.alloc(65_536, left))) return void response.once('drain', more);
    }
    if (onlyHalf) response.destroy();
    else response.end();
  };
  more();
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
