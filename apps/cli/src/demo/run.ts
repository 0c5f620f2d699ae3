import { Arena, type ArenaOptions } from './arena/arena.js';
import { GameServer, type GameServerOptions } from './game-server.js';
import { Players, type PlayersOptions } from './players.js';

/** Ends a demo process in good order when it is told to. */
function onEnd(end: () => Promise<void>): void {
  let ending = false;
  const run = (): void => {
    if (ending) return;
    ending = true;
    void end().finally(() => process.exit(0));
  };
  process.on('SIGTERM', run);
  process.on('SIGINT', run);
}

/** A demo server as a process of its own. Its options come by `DEMO_OPTIONS`, as JSON. */
export async function runGameServer(env: NodeJS.ProcessEnv): Promise<void> {
  const server = new GameServer(JSON.parse(env['DEMO_OPTIONS'] ?? '{}') as GameServerOptions);
  onEnd(() => server.stop());
  await server.start();
}

/** The demo's players as a process. It prints its report as one JSON line a second, so that nothing is lost with it. */
export async function runPlayers(env: NodeJS.ProcessEnv): Promise<void> {
  const options = JSON.parse(env['DEMO_OPTIONS'] ?? '{}') as PlayersOptions;
  const players = new Players(options);
  const tell = (): void => void process.stdout.write(`${JSON.stringify(players.report)}\n`);
  const timer = setInterval(tell, 1_000);
  onEnd(async () => {
    await players.stop(20_000);
    clearInterval(timer);
    await new Promise<void>((resolve) =>
      process.stdout.write(`${JSON.stringify(players.report)}\n`, () => resolve()),
    );
  });
  await players.start();
}

/** The two community servers of the arena demo as a process. It prints what happens and its report as JSON lines. */
export async function runArena(env: NodeJS.ProcessEnv): Promise<void> {
  const options = JSON.parse(env['DEMO_OPTIONS'] ?? '{}') as ArenaOptions;
  const print = (line: object): Promise<void> =>
    new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
  const arena = new Arena(options, (story) => void print(story));
  const report = (): Promise<void> => print({ event: 'report', report: arena.report });
  onEnd(async () => {
    await arena.stop();
    await report();
  });
  await arena.start();
  setInterval(() => void report(), 1_000);
}
