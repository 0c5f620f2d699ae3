import { Supervisor, type DemoOptions } from '@muster/embedded';
import { runArenaDemo } from './arena/demo.js';
import { runQueueDemo } from './queue/demo.js';
import { Players, type PlayersOptions } from './queue/players.js';
import { GameServer, type GameServerOptions } from './queue/server.js';
import { DemoReporter } from './demo-reporter.js';

// One program with four parts, named by its first argument: `queue` and `arena` are the demos that `muster up` starts;
// `server` and `players` are processes that the queue demo starts. Options come in DEMO_OPTIONS, as JSON.

/** Resolves at the first signal to end. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

/** Ends this process when its parent is gone, for any reason: nothing else would stop it. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 1_000).unref();
}

/** A dedicated server of the queue demo. */
async function runServer(options: GameServerOptions): Promise<void> {
  const ended = told();
  const server = new GameServer(options);
  await Promise.race([server.start(), ended]);
  await ended;
  await server.stop();
}

/** The players of the queue demo. They print their report as a line every second, so that a crash loses little. */
async function runPlayers(options: PlayersOptions): Promise<void> {
  const ended = told();
  const players = new Players(options);
  const report = (): Promise<void> =>
    new Promise((resolve) => process.stdout.write(`${JSON.stringify(players.report)}\n`, () => resolve()));
  const timer = setInterval(() => void report(), 1_000);
  await Promise.race([players.start(), ended]);
  await ended;
  await players.stop(20_000);
  clearInterval(timer);
  await report();
}

/** A demo: prints lines that `muster up` passes on, the last of them its summary. */
async function runDemo(run: typeof runQueueDemo | typeof runArenaDemo, options: DemoOptions): Promise<void> {
  const teller = new DemoReporter(options.colour);
  const supervisor = new Supervisor(options.dataDir, (line) => teller.say(line));
  process.on('exit', () => supervisor.killAll());
  const summary = await run(options, teller, told(), supervisor);
  await supervisor.stopAll([]);
  await teller.summary(summary);
}

async function runPart(part: string | undefined, options: unknown): Promise<void> {
  switch (part) {
    case 'queue':
      return runDemo(runQueueDemo, options as DemoOptions);
    case 'arena':
      return runDemo(runArenaDemo, options as DemoOptions);
    case 'server':
      return runServer(options as GameServerOptions);
    case 'players':
      return runPlayers(options as PlayersOptions);
    default:
      throw new Error('Name a part of the demo: queue, arena, server or players. `muster up` starts it.');
  }
}

endWithParent();
runPart(process.argv[2], JSON.parse(process.env['DEMO_OPTIONS'] ?? '{}')).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
