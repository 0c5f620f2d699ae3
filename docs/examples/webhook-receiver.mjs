import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch {
    return response.writeHead(401).end();
  }
  // The same event may arrive again. Keep the ids as long as what they changed.
  if (!seen.has(event.id)) {
    seen.add(event.id);
    console.log(event.type, JSON.stringify(event.data));
  }
  response.writeHead(204).end();
});
server.listen(Number(process.env.PORT));
