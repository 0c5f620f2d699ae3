import { seededRandom, seedOf } from '@muster/domain';
import type { Policy, RoundsClient } from '@muster/sdk';
import { drawn, type Traffic } from './crowd.js';
import { ArenaMatch, type Side } from './match.js';
import { Trace } from './trace.js';

/** A message to the people on the server. */
export interface Story {
  readonly what: 'moves' | 'scramble' | 'trouble';
  readonly text: string;
  readonly playerIds?: readonly string[];
  /** The chance of the first team by true skill, before and after. */
  readonly chance?: readonly [before: number, after: number];
}

export interface CommunityServerOptions {
  readonly policy: Policy;
  /** Whether the policy scrambles teams between rounds. */
  readonly scrambles: boolean;
  /** Everybody who may join. */
  readonly people: readonly string[];
  readonly seed: number;
  readonly momentMs: number;
  readonly tell: (story: Story) => void;
}

/** Moments per round, and rounds per map. */
const roundMoments = 20;
const mapRounds = 5;
/** How much more likely players of a losing team are to leave. */
const leavesBehind = 4;

type Checked = Awaited<ReturnType<RoundsClient['check']>>;
type Triggered = Awaited<ReturnType<RoundsClient['triggered']>>;

/**
 * A community server without a queue: in round after round, people join and leave, and it asks the coordinator where they
 * go, whether the teams are still fair and whether to scramble them. Without an answer it continues.
 */
export class CommunityServer {
  readonly trace = new Trace();
  moves = 0;
  scrambles = 0;
  roundsRated = 0;
  readonly moved = new Set<string>();
  private readonly match: ArenaMatch;
  private balance: Checked['state'] | undefined;
  private dueAt: number | null = null;
  private mixing: Triggered['state'] | undefined;
  private rounds = 0;
  private moments = 0;

  constructor(
    private readonly coordinator: RoundsClient,
    private readonly options: CommunityServerOptions,
  ) {
    this.match = new ArenaMatch(seededRandom(seedOf(`fights ${options.seed}`)));
  }

  get present(): number {
    return this.match.present.length;
  }

  /** Forms teams of the first people by their ratings. */
  async open(playerIds: readonly string[]): Promise<void> {
    playerIds.forEach((playerId, i) => this.match.join(playerId, i % 2 === 0 ? 0 : 1));
    const teams = await this.coordinator.scramble(playerIds);
    if (teams) this.match.seat(teams.teams);
    this.newMap();
  }

  /** One moment of the match. @param now milliseconds since the epoch */
  async moment({ come, go }: Traffic, now: number): Promise<void> {
    const draw = `${this.options.seed} ${this.moments++}`;
    this.leave(go, draw);
    await this.addPlayer(come, draw);
    const died = this.match.fight();
    const isDue = this.dueAt !== null && now >= this.dueAt;
    if (come + go + died > 0 || isDue) await this.checkTeams();
    this.trace.add((this.moments * this.options.momentMs) / 1000, this.match.chance);
    if (this.moments % roundMoments === 0) await this.endRound();
  }

  private leave(count: number, draw: string): void {
    const { behind } = this.match;
    const candidates = this.match.present.map((playerId) => ({
      playerId,
      weight: behind !== null && this.match.sideOf(playerId) === behind ? leavesBehind : 1,
    }));
    for (const playerId of drawn(candidates, count, `go ${draw}`)) this.match.leave(playerId);
  }

  private async addPlayer(count: number, draw: string): Promise<void> {
    const absent = this.options.people.filter((playerId) => !this.match.has(playerId));
    const candidates = absent.map((playerId) => ({ playerId, weight: 1 }));
    for (const playerId of drawn(candidates, count, `come ${draw}`))
      this.match.join(playerId, await this.placeOf(playerId));
  }

  private async placeOf(playerId: string): Promise<Side> {
    const [first, second] = this.match.teams;
    const smaller: Side = second.length < first.length ? 1 : 0;
    try {
      const { team } = await this.coordinator.place(this.match.roster(), this.options.policy, { playerId });
      return team === null ? smaller : sideOf(team);
    } catch (error) {
      this.reportFailure(error);
      return smaller;
    }
  }

  private async checkTeams(): Promise<void> {
    const roster = this.match.roster();
    let checked: Checked;
    try {
      checked = await this.coordinator.check(roster, this.options.policy, this.balance, this.match.isStomp);
    } catch (error) {
      return this.reportFailure(error);
    }
    this.balance = checked.state;
    this.dueAt = checked.dueAt;
    if (!checked.directive) return;
    const before = this.match.chance;
    const playerIds = checked.directive.moves.flatMap(({ playerId, to }) =>
      this.match.move(playerId, sideOf(to)) ? [playerId] : [],
    );
    for (const playerId of playerIds) this.moved.add(playerId);
    this.moves += playerIds.length;
    const chance = [before, this.match.chance] as const;
    this.options.tell({ what: 'moves', text: checked.directive.why, playerIds, chance });
  }

  private async endRound(): Promise<void> {
    this.rounds++;
    const result = this.match.endRound();
    if (result) {
      const { updated } = await this.coordinator.roundEnded({
        teams: [[...result.teams[0]], [...result.teams[1]]],
        winner: result.winner,
        map: 'arena_demo',
      });
      if (updated?.counted) this.roundsRated++;
      if (this.options.scrambles) await this.scrambleIfDue(result.winner);
    }
    if (this.rounds % mapRounds === 0) this.newMap();
    else this.match.beginRound();
  }

  private async scrambleIfDue(winner: Side): Promise<void> {
    const { policy } = this.options;
    const ask = async (event: Parameters<RoundsClient['triggered']>[3]): Promise<Triggered['trigger']> => {
      const answer = await this.coordinator.triggered(
        this.match.roster(),
        policy,
        'arena',
        event,
        this.mixing,
      );
      this.mixing = answer.state;
      return answer.trigger ?? answer.state.pending;
    };
    try {
      // Round 1 of the mode is a duel, which would leave all others waiting: here the first round is round 2.
      const trigger = await ask({ kind: 'round-ended', round: this.rounds + 1, winner });
      await this.coordinator.prepare(this.match.present.map((playerId) => ({ playerId })));
      const teams = trigger ? await this.coordinator.scramble(this.match.present) : null;
      if (!trigger || !teams) return;
      const before = this.match.chance;
      this.match.seat(teams.teams);
      this.balance = undefined;
      this.scrambles++;
      this.options.tell({ what: 'scramble', text: trigger.why, chance: [before, this.match.chance] });
      await ask({ kind: 'scrambled' });
    } catch (error) {
      this.reportFailure(error);
    }
  }

  /** Moved players may be moved again: another match has begun. */
  private newMap(): void {
    this.balance = undefined;
    this.dueAt = null;
    this.match.newMap();
  }

  private reportFailure(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.options.tell({ what: 'trouble', text: `No answer: ${text}` });
  }
}

function sideOf(team: number): Side {
  return team === 0 ? 0 : 1;
}
