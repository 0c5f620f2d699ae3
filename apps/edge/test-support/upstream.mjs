// A service for tests of the edge, in its own process so that it can be frozen and killed. Prints its port. Streams and
// polls stay open; `x-reset: <name>` makes that replica reset the connection after it has read the call.
import { createServer } from 'node:http';

const [name] = process.argv.slice(2);
let open = 0;
const server = createServer((request, response) => {
  const { headers, url = '', method } = request;
  if (url === '/health/ready') return void response.end('{}');
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
  request.resume().on('end', () => {
    if (headers['x-reset'] === name) return void request.socket.destroy();
    const said = { replica: name, method, key: headers['idempotency-key'], hop: headers['x-hop'], open };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(said));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
