import { PostgresOutbox } from '@muster/db';
import { message, noSpares, type FormedMatch, type RatingPool, type ServerIdentity } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { allocatorStores, type AllocatorStores } from '../../../stores/allocator-stores.js';
import { PostgresMatchStore } from '../../../../apps/assignment/src/forming/match.store.js';
import { PostgresMatchHistory } from '../../../../apps/assignment/src/history/match-history.store.js';
import { PostgresCalibrationStore } from '../../../../apps/queue/src/calibration/calibration.store.js';
import { PostgresBehaviourStore } from '../../../../apps/queue/src/standing/behaviour.store.js';
import { PostgresPenaltyStore } from '../../../../apps/queue/src/standing/penalty.store.js';
import { RatingStores } from '../../../support/rating-stores.js';
import type { Extent } from '../../../support/synthetic-history.js';
import type { Db } from '../../../support/prisma.js';

const timeouts = { answerMs: 5_000, silenceMs: 10_000, massSilenceMs: 300_000, avoidMs: 15_000 };
const everyMs = 60_000;
const page = 20;
/** Players and matches that the calls are about, again and again: they are warm, the rest of the history is not. */
const subjects = 200;
/** Matches that pool health reads. */
const healthMatches = 1_000;
/** Rows of each kind that one call of retention deletes. */
const deleted = 5;

/** The calls of the services' stores on one database, timed. */
export class Calls {
  readonly times = new Map<string, number[]>();
  private isMeasured = false;
  private readonly matches: PostgresMatchStore;
  private readonly history: PostgresMatchHistory;
  private readonly allocator: AllocatorStores;
  private readonly ledger: RatingStores;
  private readonly penalties: PostgresPenaltyStore;
  private readonly reports: PostgresBehaviourStore;
  private readonly searches: PostgresCalibrationStore;
  private readonly outbox: PostgresOutbox;

  constructor(
    db: Db,
    private readonly extent: Extent,
  ) {
    this.matches = new PostgresMatchStore(db);
    this.history = new PostgresMatchHistory(db);
    this.allocator = allocatorStores(db);
    this.ledger = new RatingStores(db);
    this.penalties = new PostgresPenaltyStore(db);
    this.reports = new PostgresBehaviourStore(db);
    this.searches = new PostgresCalibrationStore(db);
    this.outbox = new PostgresOutbox(db);
  }

  /** Creates the pool and the server, and adds the history to the totals. */
  async prepare(): Promise<void> {
    const rules = { ...defaultPoolRules, circumstances: [] };
    await this.ledger.pools.create({
      name: 'ladder',
      gameMode: null,
      modifiers: [],
      rules,
      calibration: uncalibrated,
    });
    for (let turn = 0; turn < 3; turn += 1) while (await this.ledger.rated.addToTotals(20_000));
    await this.allocator.fleet.register(
      {
        serverId: 'host',
        region: 'eu',
        build: 'b1',
        host: 'host.example',
        port: 7_777,
        slots: 100,
        resume: [],
      },
      Date.now(),
    );
  }

  /** One of every call. @param round a number of its own */
  async round(round: number, isMeasured: boolean): Promise<void> {
    this.isMeasured = isMeasured;
    const pool = await this.ledger.ratings.pool('ladder');
    await this.play(round, pool);
    await this.read(round, pool);
    await this.loop(pool);
  }

  /** Deletes some of what is past retention. */
  async retain(isMeasured: boolean): Promise<void> {
    this.isMeasured = isMeasured;
    const now = Date.now();
    await this.timed('retention: delete sessions, commands, results', () =>
      this.allocator.retention.forget({ servers: 0, sessions: now - 3_600_000 }, deleted),
    );
    await this.timed('retention: delete verdicts', () =>
      this.matches.deleteVerdicts(now - 3_600_000, deleted),
    );
  }

  private async play(round: number, pool: RatingPool): Promise<void> {
    const now = Date.now();
    const match = this.formed(round, now);
    const { matchId } = match;
    const server: ServerIdentity = { serverId: 'host', incarnation: 1 };
    // First, because the server may have been silent while a history was made.
    await this.timed('heartbeat', () =>
      this.allocator.fleet.heartbeat(server, { cpuLoad: 0.5, sessions: [] }, now - everyMs, now),
    );
    await this.timed('form a match', () => this.matches.form(match));
    await this.timed('begin its placement', () => this.allocator.placement.begin(matchId, now));
    const placed = await this.timed('place it', () => this.allocator.placement.place(matchId, timeouts, now));
    if (placed.outcome !== 'reserved') throw new Error(`${matchId} was not placed: ${placed.outcome}`);
    const { sessionId } = placed;
    const commands = await this.timed('commands of a server', () =>
      this.allocator.commands.commandsAfter(server, 0),
    );
    for (const { seq } of commands ?? [])
      await this.timed('answer a command', () =>
        this.allocator.commands.answer(server, seq, { status: 'done' }, now),
      );
    const result = { ranks: [1, 2], digest: matchId, body: { ranks: [1, 2] } };
    await this.timed('receive a result', () =>
      this.allocator.sessions.receive(sessionId, server, result, now),
    );
    await this.timed('rate a match', () => this.ledger.matches.rate(matchId, now));
    const { teams } = teamsOf(match);
    await this.timed('rate a reported match', () =>
      this.ledger.reports.rate(
        {
          matchId: `rep-${round}`,
          externalId: `rep-${round}`,
          pool: pool.name,
          playedAt: now,
          teams,
          ranks: [1, 2],
          played: {},
          digest: 'd',
          reportedBy: 'host',
        },
        now,
      ),
    );
    for (const owner of ['assignment', 'allocator', 'rating'])
      await this.timed('relay the outbox', () => this.outbox.relay(owner, 100, () => Promise.resolve()));
  }

  private async read(round: number, pool: RatingPool): Promise<void> {
    const { history, ledger } = this;
    const player = this.player(round);
    const old = `old-${1 + (((round % subjects) * 7_919) % this.extent.matches)}`;
    await this.timed('story of a match', () => history.find(old));
    await this.timed('matches of a player', () => history.ofPlayer(player, page));
    await this.timed('newest matches', () => history.page({ limit: page, order: 'newest' }));
    await this.timed('newest matches of a pool', () =>
      history.page({ limit: page, order: 'newest', pool: 'second' }),
    );
    await this.timed('abandoned matches of a pool by their end', () =>
      history.page({ limit: page, order: 'oldest', state: 'abandoned', pool: 'second', from: 0 }),
    );
    await this.timed('rating history of a player', () => ledger.history.of(pool, player, page));
    await this.timed('page of ratings', () => ledger.ratings.page(pool, player, page));
    await this.timed('ratings of ten', () => ledger.ratings.of(pool.name, tenFrom(round, this.extent)));
    await this.timed('rating changes of a match', () => ledger.history.changes([old]));
    await this.timed('pool health', () => ledger.rated.latest(pool, healthMatches));
    await this.timed('penalties of ten', () => this.penalties.of(tenFrom(round, this.extent), 0));
    await this.timed('reports on ten', () => this.reports.marksOf(tenFrom(round, this.extent), 0));
    await this.timed('searches of ten', () => this.searches.open(pool.name, tenFrom(round, this.extent)));
  }

  private async loop(pool: RatingPool): Promise<void> {
    const { allocator } = this;
    const now = Date.now();
    await this.timed('loop: count rated matches', () => this.ledger.rated.count(pool));
    await this.timed('loop: add to totals', () => this.ledger.rated.addToTotals(20_000));
    await this.timed('loop: rating reminder', () => this.ledger.matches.endedBefore(now, 100));
    await this.timed('loop: placement reminder', () => this.matches.formedBefore(now, 100));
    await this.timed('loop: placement sweep', async () => {
      await allocator.sessions.withdrawUnanswered(now, 100);
      await allocator.silence.loseSilent(timeouts, now - everyMs, 100);
      await allocator.sessions.loseOverdue(now - everyMs, now, 100);
      await allocator.placement.duePlacements(now, 100);
      await allocator.placement.giveUp(now, 100);
    });
    await this.timed('loop: shortages and slots', async () => {
      await allocator.shortages.claimShortages({ everyMs, startMs: everyMs, spares: noSpares }, now);
      await allocator.placement.makePlacementsDue(now, 100);
    });
    await this.timed('loop: backfills', async () => {
      await allocator.backfills.endOverdue(now, 100);
      await allocator.backfills.withdrawSeats(now - everyMs, 100);
    });
    await this.timed('loop: concluded searches', () => this.searches.concluded(100));
    await this.timed('loop: retention, nothing due', async () => {
      await allocator.retention.forget({ servers: 0, sessions: 0 }, 500);
      await this.matches.deleteVerdicts(0, 500);
    });
  }

  private async timed<T>(call: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const answer = await work();
    if (this.isMeasured) {
      const times = this.times.get(call) ?? [];
      this.times.set(call, times);
      times.push(performance.now() - start);
    }
    return answer;
  }

  private player(round: number): string {
    return `old-${((round % subjects) * 104_729) % this.extent.players}`;
  }

  private formed(round: number, now: number): FormedMatch {
    const ids = [this.player(round), this.player(round + 1)];
    return {
      matchId: `new-${round}`,
      queue: 'ranked',
      pool: 'ladder',
      build: 'b1',
      regions: [],
      rules: { mode: 'duel', placementTimeoutSeconds: 60 },
      map: null,
      bots: [0, 0],
      split: {
        method: 'trivial',
        because: 'there is one way',
        certificate: { status: 'proven', value: 0, lowerBound: 0, gap: 0, reason: 'exhausted', quantum: 0 },
        sums: [25, 25],
        difference: 0,
        ways: 1,
        ranked: true,
        operations: 1,
        rejected: null,
      },
      why: [message('split.proven')],
      prediction: [0.5, 0.5],
      players: ids.map((playerId, team) => ({
        playerId,
        team,
        ticketId: `tkt-${round}-${team}`,
        mu: 25,
        sigma: 8,
        waitedMs: 1_500,
      })),
      placementTimeoutSeconds: 60,
      proposedAt: now,
      formedAt: now,
    };
  }
}

const teamsOf = ({ players }: FormedMatch): { teams: string[][] } => ({
  teams: players.map(({ playerId }) => [playerId]),
});

function tenFrom(round: number, { players }: Extent): string[] {
  return Array.from({ length: 10 }, (_, i) => `old-${((round % subjects) * 7_919 + i * 13) % players}`);
}
