import { noMeter, type MatchSteps, type Meter } from '@muster/contracts';
import {
  CommandNotFound,
  ServerSuperseded,
  SessionWithdrawn,
  type Clock,
  type CommandAnswer,
  type ServerCommand,
  type ServerIdentity,
} from '@muster/domain';
import { commandsOf, slots, type Notifier } from '../watch/wake-ups.js';
import type { Trust } from '../trust/trust.js';
import { CommandWatch } from './command-watch.js';
import type { PostgresCommandStore } from './commands.store.js';

/** Delivers commands to servers, and processes their answers. */
export class Commands {
  private readonly watch: CommandWatch;

  constructor(
    private readonly store: PostgresCommandStore,
    private readonly trust: Pick<Trust, 'listens' | 'confirms'>,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly errors: { report(what: string, error: Error): void },
    private readonly meter: Meter = noMeter,
    private readonly steps: MatchSteps | null = null,
  ) {
    this.watch = new CommandWatch(notifier, store, clock);
  }

  /** Commands after a cursor; waits for one if there is none. */
  async after(
    server: ServerIdentity,
    after: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ServerCommand[]> {
    const until = this.clock.now() + waitMs;
    for (;;) {
      const commands = await this.store.commandsAfter(server, after, (kind, seq) => {
        const problem = `${server.serverId} has command ${seq} of unknown kind "${kind}"; a newer replica delivers it`;
        this.errors.report('commands of an unknown kind', new Error(problem));
      });
      if (!commands) throw superseded(server);
      this.trust.listens(server);
      const remainingMs = until - this.clock.now();
      if (commands.length > 0 || remainingMs <= 0 || signal.aborted) return commands;
      await this.watch.wait({ ...server, after }, remainingMs, signal);
      // The next call reads.
      if (signal.aborted || this.clock.now() >= until) return [];
    }
  }

  /** @throws SessionWithdrawn if the answer is late and another server has the match */
  async answer(server: ServerIdentity, seq: number, answer: CommandAnswer): Promise<void> {
    const result = await this.store.answer(server, seq, answer, this.clock.now());
    this.afterCommit();
    const isFirst = result.outcome === 'accepted';
    this.meter.count('commandAnswers', { outcome: isFirst ? answer.status : result.outcome });
    if (result.outcome === 'accepted' && result.matchId !== null && answer.status === 'done')
      this.trust.confirms(server);
    if (result.outcome === 'accepted' && result.matchId !== null)
      this.steps?.step(result.matchId, `session ${answer.status}`, { 'muster.server.id': server.serverId });
    if (result.outcome === 'unknown')
      throw new CommandNotFound(`${server.serverId} has no command ${seq}.`, { seq });
    if (result.outcome === 'withdrawn') {
      this.notifier.wake(commandsOf(server.serverId));
      throw new SessionWithdrawn(
        'The command was withdrawn before this answer arrived; if you created the session, end it.',
        { seq },
      );
    }
    if (answer.status === 'refused') this.notifier.wake(slots);
  }
}

/** The error of a server whose registration is not in force. */
export function superseded({ serverId }: ServerIdentity): ServerSuperseded {
  return new ServerSuperseded(
    `${serverId} has no such registration any more: it was lost, left, or registered again. Register again.`,
    { serverId },
  );
}
