import { Unsolvable } from '@muster/domain';
import { modelKinds, modelOf, type Contest, type ModelKind, type SkillState } from '@muster/skill';
import { createRequire } from 'node:module';
import { rate, rating as openskillRating } from 'openskill';
import {
  bradleyTerryFull,
  bradleyTerryPart,
  plackettLuce,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} from 'openskill/models';
import { Rating, TrueSkill } from 'ts-trueskill';
import { factsOf, type DrawnMatch, type Shape } from './history.js';

/** An implementation that rates matches and stores the ratings. */
export interface Contender {
  readonly name: string;
  /** Prepares for matches of a shape. @returns a function that rates matches one by one, or the reason why it cannot */
  begin(shape: Shape, players: number, matches: readonly DrawnMatch[]): ((match: number) => void) | string;
}

/** The number of rounds of a full window of SynElo. */
const fullWindow = 500;

/** Every model as it is used in production: opened by name with its defaults, input and output validated. */
export const models: readonly Contender[] = modelKinds.map((kind) => ({
  name: kind.name,
  begin: (shape, players, matches) => beginModel(kind, shape, players, matches),
}));

function beginModel(
  kind: ModelKind,
  shape: Shape,
  players: number,
  matches: readonly DrawnMatch[],
): ReturnType<Contender['begin']> {
  const model = modelOf(kind.name);
  const facts = kind.needs.length > 0 ? matches.map(factsOf) : [];
  const states: SkillState[] = Array.from({ length: players }, () => model.initial());
  const contestOf = (match: number): Contest => ({
    teams: (matches[match]?.teams ?? []).map((team) => team.map((player) => states[player] as SkillState)),
    facts: facts[match],
  });
  try {
    model.rate(contestOf(0), matches[0]?.ranks ?? []);
  } catch (error) {
    if (error instanceof Unsolvable) return error.message;
    throw error;
  }
  if (kind.name === 'synelo') {
    for (let round = 0; round < fullWindow; round++)
      for (let player = 0; player + 1 < players; player += 2) {
        const teams = [[states[player] as SkillState], [states[player + 1] as SkillState]];
        const after = model.rate({ teams }, (player + round) % 3 === 0 ? [1, 2] : [2, 1]);
        states[player] = after[0]?.[0] ?? model.initial();
        states[player + 1] = after[1]?.[0] ?? model.initial();
      }
  }
  return (match) => {
    const drawn = matches[match] as DrawnMatch;
    keep(states, drawn, model.rate(contestOf(match), drawn.ranks));
  };
}

function keep<S>(states: S[], { teams }: DrawnMatch, after: readonly (readonly S[])[]): void {
  for (let t = 0; t < teams.length; t++) {
    const team = teams[t] ?? [];
    for (let p = 0; p < team.length; p++) states[team[p] ?? 0] = after[t]?.[p] as S;
  }
}

const openskillModels = {
  'plackett-luce': plackettLuce,
  'bradley-terry-full': bradleyTerryFull,
  'bradley-terry-part': bradleyTerryPart,
  'thurstone-mosteller-full': thurstoneMostellerFull,
  'thurstone-mosteller-part': thurstoneMostellerPart,
};

interface GlickoPlayer {
  getRating(): number;
  getRd(): number;
  getVol(): number;
}
interface GlickoPackage {
  Glicko2: new (settings: { tau: number; rating: number; rd: number; vol: number }) => {
    makePlayer(rating: number, deviation: number, volatility: number): GlickoPlayer;
    makeRace(places: GlickoPlayer[][]): object;
    updateRatings(matches: [GlickoPlayer, GlickoPlayer, number][] | object): void;
  };
}

/** Equivalent packages, each with its own API; without validation. */
export const packages: readonly Contender[] = [
  ...Object.entries(openskillModels).map(([name, model]): Contender => ({
    name: `openskill ${name}`,
    begin(_shape, players, matches) {
      const states = Array.from({ length: players }, () => openskillRating());
      return (match) => {
        const drawn = matches[match] as DrawnMatch;
        const teams = drawn.teams.map((team) => team.map((player) => states[player] ?? openskillRating()));
        keep(states, drawn, rate(teams, { model, rank: [...drawn.ranks] }));
      };
    },
  })),
  {
    name: 'ts-trueskill',
    begin(_shape, players, matches) {
      const environment = new TrueSkill();
      const states = Array.from({ length: players }, () => new Rating());
      return (match) => {
        const drawn = matches[match] as DrawnMatch;
        const teams = drawn.teams.map((team) => team.map((player) => states[player] ?? new Rating()));
        keep(states, drawn, environment.rate(teams, [...drawn.ranks]) as Rating[][]);
      };
    },
  },
  { name: 'glicko2', begin: beginGlickoPackage },
];

/** Every match is a rating period, as in Muster; the package rates a period of all players of an instance. */
function beginGlickoPackage(
  { size }: Shape,
  players: number,
  matches: readonly DrawnMatch[],
): ReturnType<Contender['begin']> {
  if (size > 1) return 'The package glicko2 knows duels and races, but no teams.';
  const { Glicko2 } = createRequire(import.meta.url)('glicko2') as GlickoPackage;
  const start = { tau: 0.5, rating: 1500, rd: 350, vol: 0.06 };
  const states = Array.from({ length: players }, () => start);
  return (match) => {
    const { teams, ranks } = matches[match] as DrawnMatch;
    const period = new Glicko2(start);
    const field = teams.map(([player = 0]) => {
      const { rating, rd, vol } = states[player] ?? start;
      return period.makePlayer(rating, rd, vol);
    });
    const places: GlickoPlayer[][] = [];
    field.forEach((each, t) => (places[(ranks[t] ?? 1) - 1] ??= []).push(each));
    period.updateRatings(period.makeRace(places));
    teams.forEach(([player = 0], t) => {
      const after = field[t];
      if (after)
        states[player] = { ...start, rating: after.getRating(), rd: after.getRd(), vol: after.getVol() };
    });
  };
}
