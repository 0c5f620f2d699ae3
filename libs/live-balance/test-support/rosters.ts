import fc from 'fast-check';
import type { Roster, RosterPlayer } from '../src/roster/roster.js';

export type Extra = Partial<Omit<RosterPlayer, 'playerId' | 'team' | 'rating'>>;

/** Players of one team: `a0`, `a1` … for team 0, `b0` … for team 1. */
export function team(number: number, ratings: readonly number[], extra: Extra = {}): RosterPlayer[] {
  const letter = 'abcdefghij'[number] ?? '?';
  return ratings.map((rating, i) => ({ playerId: `${letter}${i}`, team: number, rating, ...extra }));
}

/** A roster of teams by their ratings. */
export function teams(...ratings: readonly (readonly number[])[]): Roster {
  return { teams: ratings.length, players: ratings.flatMap((list, number) => team(number, list)) };
}

/** The roster with some players changed. */
export function change(roster: Roster, changes: Readonly<Record<string, Partial<RosterPlayer>>>): Roster {
  return {
    ...roster,
    players: roster.players.map((player) => ({ ...player, ...changes[player.playerId] })),
  };
}

/** Every choice of `size` elements of a list. */
export function* choices<T>(list: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= list.length - size; i++) {
    for (const rest of choices(list, size - 1, i + 1)) yield [list[i]!, ...rest];
  }
}

export const sum = (list: readonly { readonly rating: number }[]): number =>
  list.reduce((total, { rating }) => total + rating, 0);

/** Ratings of the kinds that servers have. */
export const ratings: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 24 }),
  fc.integer({ min: 800, max: 2_400 }),
  fc.integer({ min: -300, max: 5_000 }).map((hundredths) => hundredths / 100),
);

/** `true` in this many of ten cases; else false, or absent. */
const flag = (weight: number): fc.Arbitrary<boolean | undefined> =>
  fc.oneof(
    { weight, arbitrary: fc.constant(true) },
    { weight: 10 - weight, arbitrary: fc.constantFrom(false, undefined) },
  );

/** Ratings of one pool, and the leads that go with them. */
interface Kind {
  readonly rating: fc.Arbitrary<number>;
  readonly lead: fc.Arbitrary<number>;
}

/** Properties of a whole roster. */
const settings = (mostTeams: number) =>
  fc.record({
    teams: fc.integer({ min: 2, max: mostTeams }),
    // One kind of rating per roster, since ratings of one pool are alike.
    kind: fc.constantFrom<Kind[]>(
      { rating: fc.integer({ min: 0, max: 24 }), lead: fc.integer({ min: -4, max: 6 }) },
      { rating: fc.integer({ min: 800, max: 2_400 }), lead: fc.integer({ min: -200, max: 250 }) },
      {
        rating: fc.integer({ min: -300, max: 5_000 }).map((hundredths) => hundredths / 100),
        lead: fc.integer({ min: -300, max: 400 }).map((hundredths) => hundredths / 100),
      },
    ),
    // Whether players count more on one side.
    sided: fc.constantFrom(false, false, true),
    mode: fc.constantFrom(undefined, undefined, 'ctf', 'ctf', 'ctf', 'ctf', 'Sandbox', 'free for all'),
    secondsLeft: fc.constantFrom(undefined, null, 180, 900, 900, 900, 30, 179),
    ranked: fc.constantFrom(undefined, false, false, false, false, false, true),
    // How lopsided the teams are.
    lean: fc.constantFrom(0.5, 0.5, 0.7, 0.95),
  });

/** A player before a team is chosen; `at`, 0 to 1, decides which. */
interface Drawn {
  readonly at: number;
  readonly rating: number;
  readonly lead: number | undefined;
  readonly points: number | undefined;
  readonly partyId: string | undefined;
  readonly alive: boolean | undefined;
  readonly dead: boolean | undefined;
  readonly moved: boolean | undefined;
  readonly bot: boolean | undefined;
  readonly away: boolean;
}

const drawn = ({ rating, lead }: Kind, sided: boolean): fc.Arbitrary<Drawn> =>
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    rating,
    lead: sided ? fc.oneof(fc.constant(undefined), lead) : fc.constant(undefined),
    points: fc.constantFrom(undefined, 0, 0, 3, 7, 20),
    partyId: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, 'x', 'y'),
    alive: flag(4),
    dead: flag(5),
    moved: flag(1),
    bot: flag(1),
    away: fc.constantFrom(...Array.from({ length: 12 }, () => false), true),
  });

/** Puts players on teams, the first of which has `lean` of them. Most parties are on one team. */
function placed(list: readonly Drawn[], teamCount: number, lean: number): RosterPlayer[] {
  const partyTeam = new Map<string, number | null>();
  return list.map(({ at, rating, lead, points, partyId, alive, dead, moved, bot, away }, i) => {
    const own = away ? null : at < lean ? 0 : 1 + (Math.floor(at * 997) % (teamCount - 1));
    const chosen = partyId === undefined ? own : (partyTeam.get(partyId) ?? own);
    if (partyId !== undefined) partyTeam.set(partyId, chosen);
    return {
      playerId: `p${(i * 7) % 101}`,
      team: chosen,
      rating,
      lead,
      points,
      partyId: bot ? undefined : partyId,
      alive: dead ? false : alive,
      moved,
      bot,
    };
  });
}

/** Any roster: parties, bots, dead and moved players, spectators, modes and clocks, and players better on one side. */
export function rosters({ minPlayers = 0, maxPlayers = 14, mostTeams = 2 } = {}): fc.Arbitrary<Roster> {
  return settings(mostTeams).chain(({ teams: count, kind, sided, mode, secondsLeft, ranked, lean }) =>
    fc
      .array(drawn(kind, sided), { minLength: minPlayers, maxLength: maxPlayers })
      .map((list) => ({ teams: count, players: placed(list, count, lean), mode, secondsLeft, ranked })),
  );
}
