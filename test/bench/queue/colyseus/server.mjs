// A Colyseus server with its ranked queue room, set up as documented. Run by colyseus.ts, which receives its port by
// IPC and queries the number of waiting players. Arguments: port (0 for any), players of a match.
import { matchMaker, QueueRoom, Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { createServer } from 'node:http';

const [port = '0', players = '2'] = process.argv.slice(2);

/** A match without play: its seats are not taken, and it ends when they expire. Its cost is not the queue's. */
class MatchRoom extends Room {
  seatReservationTimeout = 1;
  patchRate = 60_000;
}

/** The single queue is created at the start: rooms created by the first concurrent players would split them. */
class OneQueue extends QueueRoom {
  autoDispose = false;
}

const listener = createServer();
const server = new Server({
  transport: new WebSocketTransport({ server: listener }),
  greet: false,
  gracefullyShutdown: false,
});
server.define('match', MatchRoom);
server.define('queue', OneQueue, { matchRoomName: 'match', maxPlayers: Number(players) });
await server.listen(Number(port), '127.0.0.1');
await matchMaker.createRoom('queue', {});

process.on('message', async () => {
  const rooms = await matchMaker.query({ name: 'queue' });
  process.send?.({ waiting: rooms.reduce((sum, { clients }) => sum + clients, 0) });
});
process.on('disconnect', () => process.exit());
process.send?.({ port: listener.address().port });
