import type { Random } from '@muster/domain';
import {
  callVote,
  check,
  freshBalance,
  joined,
  type BalanceState,
  type Check,
  type Move,
  type Policy,
  type Roster,
  type RosterPlayer,
} from '@muster/live-balance';
import { drawExponential } from '../chance/draws.js';
import { chanceOfFirst } from './chance.js';
import type { CommunityServer } from './community-server.js';
import type { MatchFigures } from './figures.js';
import { smallerTeam, type LiveGroup, type LivePlayer, type MatchScript } from './script.js';

/** A way to run a server. */
export interface LiveContender {
  readonly name: string;
  readonly policy: Policy;
  /** Where newcomers go: by the policy, or on the smaller team, as in games without live balance. */
  readonly arrivals: 'policy' | 'smaller-team';
}

/** A player on the server. */
interface Present {
  readonly player: LivePlayer;
  readonly group: PresentGroup;
  readonly random: Random;
  team: number;
  points: number;
  alive: boolean;
  /** The next death or respawn, in seconds. */
  nextAt: number;
  bornAt: number;
}

interface PresentGroup {
  readonly group: LiveGroup;
  patienceLeft: number;
}

/**
 * Plays a match by its script, second by second: departures, arrivals, deaths and respawns that are due; then the policy is
 * asked as the documents tell a server to, after every change, when a delay is over and when a movable player dies; its
 * directives are carried out at once. Chances hold for the following second.
 *
 * @param trace called with the first team's chance of each second
 */
export function playMatch(
  server: CommunityServer,
  script: MatchScript,
  contender: LiveContender,
  trace?: (chance: number) => void,
): MatchFigures {
  return new Match(server, script, contender).run(trace);
}

class Match {
  private present: Present[] = [];
  private state: BalanceState = freshBalance;
  private last: Check | null = null;
  private readonly moved = new Set<string>();
  private moves = 0;
  private movedAlive = 0;
  private left = 0;
  private leftMoved = 0;
  private refused = 0;

  constructor(
    private readonly server: CommunityServer,
    private readonly script: MatchScript,
    private readonly contender: LiveContender,
  ) {}

  run(trace?: (chance: number) => void): MatchFigures {
    const { matchSeconds } = this.server;
    for (const { group, team } of this.script.start)
      this.seat(
        group,
        group.players.map(() => team),
        0,
      );
    let [next, fair, stomp, off] = [0, 0, 0, 0];
    for (let second = 0; second < matchSeconds; second++) {
      const hasLeft = second > 0 && this.removeDeparted();
      const before = next;
      while (this.script.arrivals[next] && this.script.arrivals[next]!.atSecond <= second)
        this.arrive(this.script.arrivals[next++]!.group, second);
      const died = this.advanceLives(second);
      this.balance(second, second === 0 || hasLeft || next > before, died);
      const chance = this.chance();
      trace?.(chance);
      const away = Math.abs(chance - 0.5);
      off += away;
      if (away <= 0.1) fair++;
      if (away > 0.3) stomp++;
    }
    return {
      fairShare: fair / matchSeconds,
      stompShare: stomp / matchSeconds,
      unfairness: off / matchSeconds,
      moves: this.moves,
      playersMoved: this.moved.size,
      alive: this.movedAlive,
      left: this.left,
      leftMoved: this.leftMoved,
      refused: this.refused,
    };
  }

  private chance(): number {
    const ahead = this.present.reduce(
      (sum, { team, player }) => sum + (team === 0 ? 1 : -1) * player.truth,
      0,
    );
    return chanceOfFirst(ahead, this.present.length, this.server.skill.performance);
  }

  /** Advances every player's stay by a second, faster for losing players. @returns whether a player left */
  private removeDeparted(): boolean {
    const first = this.chance();
    const pace = [first, 1 - first].map((p) => 1 + this.server.fleeing * Math.max(0, 1 - 2 * p));
    const seen = new Set<PresentGroup>();
    for (const { group, team } of this.present) {
      // A party's first member decides for it.
      if (seen.has(group)) continue;
      seen.add(group);
      group.patienceLeft -= pace[team]!;
    }
    const before = this.present.length;
    this.present = this.present.filter(({ group }) => group.patienceLeft > 0);
    this.left += before - this.present.length;
    return this.present.length < before;
  }

  private arrive(group: LiveGroup, second: number): void {
    if (this.present.length + group.players.length > this.script.places) {
      this.refused += group.players.length;
      return;
    }
    const { arrivals, policy } = this.contender;
    const [first] = group.players;
    if (!first) return;
    // The others of a party join the team of its first member in any case.
    const team =
      arrivals === 'policy'
        ? joined(this.roster(second), first, policy).team
        : smallerTeam(this.sizes(), group.toss);
    this.seat(
      group,
      group.players.map(() => team),
      second,
    );
  }

  private seat(group: LiveGroup, teams: readonly number[], second: number): void {
    const shared: PresentGroup = { group, patienceLeft: group.patienceSeconds };
    for (const [i, player] of group.players.entries()) {
      const random = player.life();
      this.present.push({
        player,
        group: shared,
        random,
        team: teams[i] ?? 0,
        points: 0,
        alive: true,
        nextAt: second + drawExponential(random, this.server.meanLifeSeconds),
        bornAt: second,
      });
    }
  }

  private sizes(): number[] {
    const first = this.present.filter(({ team }) => team === 0).length;
    return [first, this.present.length - first];
  }

  /** Deaths, with the points of the life that ends, and respawns. @returns the players who died in this second */
  private advanceLives(second: number): Set<string> {
    const died = new Set<string>();
    const { skill, meanLifeSeconds, respawnSeconds } = this.server;
    for (const each of this.present) {
      if (each.nextAt > second) continue;
      each.alive = !each.alive;
      if (each.alive) {
        each.bornAt = second;
        each.nextAt = second + drawExponential(each.random, meanLifeSeconds);
        continue;
      }
      died.add(each.player.playerId);
      // Ten points a minute for a player of mean skill, twice as many with two deviations more, plus noise.
      const pace = 2 ** ((each.player.truth - skill.mean) / (2 * skill.sigma));
      const earned = ((second - each.bornAt) / 6) * pace;
      each.points += Math.round(drawExponential(each.random, earned));
      each.nextAt = second + respawnSeconds;
    }
    return died;
  }

  private balance(second: number, hasChanged: boolean, died: ReadonlySet<string>): void {
    const { policy } = this.contender;
    if (policy.rules.length === 0) return;
    const voted = this.hasVoted(second);
    if (voted) this.state = callVote(this.state);
    const { last } = this;
    const now = second * 1_000;
    const isDue =
      voted ||
      hasChanged ||
      last === null ||
      (last.dueAt !== null && now >= last.dueAt) ||
      (died.size > 0 && looksAtPoints(policy)) ||
      last.forOneOf.some((playerId) => died.has(playerId));
    if (!isDue) return;
    // A change of team is one more reason to ask.
    do {
      this.last = check(this.roster(second), policy, this.state, now);
      this.state = this.last.state;
      this.carryOut(this.last.directive?.moves ?? []);
    } while (this.last.directive);
  }

  private hasVoted(second: number): boolean {
    const { below, chance } = this.server.votes;
    const isWanted = this.contender.policy.rules.some((rule) => rule.kind === 'swaps' && rule.onVote);
    if (!isWanted || second % 60 !== 59 || this.state.voted) return false;
    const first = this.chance();
    return Math.min(first, 1 - first) < below && (this.script.votes[Math.floor(second / 60)] ?? 1) < chance;
  }

  private carryOut(moves: readonly Move[]): void {
    for (const { playerId, to } of moves) {
      const each = this.present.find(({ player }) => player.playerId === playerId);
      if (!each) continue;
      each.team = to;
      this.moves++;
      if (each.alive) this.movedAlive++;
      this.moved.add(playerId);
      if (each.player.temper >= this.server.quitsWhenMoved) continue;
      this.present = this.present.filter((other) => other !== each);
      this.left++;
      this.leftMoved++;
    }
  }

  private roster(second: number): Roster {
    return {
      teams: 2,
      mode: 'conquest',
      secondsLeft: this.server.matchSeconds - second,
      players: this.present.map(({ player, team, points, alive }): RosterPlayer => ({
        playerId: player.playerId,
        team,
        rating: player.rating,
        points,
        alive,
        ...(player.partyId === undefined ? {} : { partyId: player.partyId }),
      })),
    };
  }
}

/** Whether a change in points may change the policy's answer. */
function looksAtPoints({ rules }: Policy): boolean {
  return rules.some((rule) => rule.kind === 'powers' && rule.version === '1.2.2');
}
