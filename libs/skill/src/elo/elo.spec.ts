import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters, type ModelParameters } from '../parameters.js';
import { eloKind, type EloState } from './elo.js';

const elo = (given: ModelParameters = {}) => eloKind.open(readParameters(eloKind.parameters, given));
const rated = (rating: number, games = 100): EloState => ({ rating, games });
const anyRating = fc.double({ min: -3000, max: 6000, noNaN: true });

describe('R5 Elo with a K that decays', () => {
  const model = elo({ kRule: 'decay', decayA: 250, decayB: 5, decayC: 0.4 });

  it('moves a player by a / (games + b)^c times the surprise', () => {
    const gain = (games: number): number => {
      const [[winner]] = model.rate({ teams: [[rated(1500, games)], [rated(1500)]] }, [1, 2]) as [[EloState]];
      return winner.rating - 1500;
    };
    expect(gain(0)).toBeCloseTo(250 / 5 ** 0.4 / 2, 9);
    expect(gain(95)).toBeCloseTo(250 / 100 ** 0.4 / 2, 9);
  });

  it('is surer with every game, and seeds a player as sure as asked', () => {
    const sigmas = [0, 1, 5, 20, 100, 500].map((games) => model.belief(rated(1500, games)).sigma);
    expect(sigmas[0]).toBe(350);
    expect(sigmas).toEqual(sigmas.toSorted((a, b) => b - a));
    expect(model.belief(model.seed({ mu: 1600, sigma: 120 })).sigma).toBeLessThanOrEqual(120);
    const whole = elo({ kRule: 'decay', decayC: 1 });
    expect(whole.belief(rated(1500, 50)).sigma).toBeLessThan(350);
  });
});

describe('R5 Elo, two players', () => {
  it('gives odds of 10 to 1 for 400 points, and moves by K times the surprise', () => {
    const model = elo();
    const teams = [[rated(1900)], [rated(1500)]];
    expect(model.predict({ teams })[0]).toBeCloseTo(10 / 11, 12);
    const [[up], [down]] = model.rate({ teams }, [1, 2]) as [[EloState], [EloState]];
    expect(up.rating).toBeCloseTo(1900 + 32 / 11, 9);
    expect(down.rating).toBeCloseTo(1500 - 32 / 11, 9);
    const [[lost]] = model.rate({ teams }, [2, 1]) as [[EloState]];
    expect(lost.rating).toBeCloseTo(1900 - 320 / 11, 9);
  });

  it('counts a draw as half a win', () => {
    const model = elo();
    const [[strong]] = model.rate({ teams: [[rated(1900)], [rated(1500)]] }, [1, 1]) as [[EloState]];
    expect(strong.rating).toBeCloseTo(1900 + 32 * (0.5 - 10 / 11), 9);
    const even = model.rate({ teams: [[rated(1500)], [rated(1500)]] }, [3, 3]);
    expect(even.flat().map(({ rating }) => rating)).toEqual([1500, 1500]);
  });

  it('in the normal form expects Φ of the difference over √2 σ, with K = ασ√π', () => {
    const model = elo({ curve: 'normal', sigma: 200, alpha: 0.1 });
    const teams = [[rated(1500 + 200 * Math.SQRT2)], [rated(1500)]];
    const chance = 0.8413447460685429;
    expect(model.predict({ teams })[0]).toBeCloseTo(chance, 12);
    const [, [loser]] = model.rate({ teams }, [1, 2]) as [unknown, [EloState]];
    expect(loser.rating).toBeCloseTo(1500 - 0.1 * 200 * Math.sqrt(Math.PI) * (1 - chance), 9);
  });

  it('adds odds to the log-odds of the skills', () => {
    const teams = [[rated(1500)], [rated(1500)]];
    expect(elo().predict({ teams, odds: [Math.log(3), 0] })[0]).toBeCloseTo(0.75, 12);
    expect(elo({ curve: 'normal' }).predict({ teams, odds: [0.1, 0] })[0]).toBeCloseTo(0.525, 3);
  });
});

describe('R5 Elo, K', () => {
  const gain = (given: ModelParameters, player: EloState): number => {
    const [[after]] = elo(given).rate({ teams: [[player], [rated(player.rating)]] }, [1, 2]) as [[EloState]];
    return after.rating - player.rating;
  };

  it('falls in layers', () => {
    const given = { kRule: 'layered' };
    expect([2099, 2100, 2399, 2400].map((rating) => gain(given, rated(rating)))).toEqual([16, 12, 12, 8]);
  });

  it('is larger in the first games, and games are counted', () => {
    const given = { kRule: 'games', earlyGames: 3, earlyFactor: 2 };
    expect([0, 2, 3, 50].map((games) => gain(given, rated(1500, games)))).toEqual([32, 32, 16, 16]);
    const [[after]] = elo(given).rate({ teams: [[rated(1500, 7)], [rated(1500)]] }, [1, 2]) as [[EloState]];
    expect(after.games).toBe(8);
  });
});

describe('R5 Elo, teams', () => {
  it('compares means or sums', () => {
    const teams = [
      [rated(1600), rated(1500)],
      [rated(1500), rated(1400)],
    ];
    expect(elo().predict({ teams })[0]).toBeCloseTo(1 / (1 + 10 ** (-100 / 400)), 12);
    expect(elo({ team: 'sum' }).predict({ teams })[0]).toBeCloseTo(1 / (1 + 10 ** (-200 / 400)), 12);
  });

  it('leaves players without weight unchanged, and moves others by theirs', () => {
    const teams = [
      [rated(1500), rated(1500), rated(1500)],
      [rated(1500), rated(1500), rated(1500)],
    ];
    const weights = [
      [1, 0.5, 0],
      [1, 0.5, 0],
    ];
    const [first] = elo().rate({ teams, weights }, [1, 2]) as [EloState[]];
    expect(first.map(({ rating }) => rating)).toEqual([1516, 1508, 1500]);
    expect(first[2]).toBe(teams[0]?.[2]);
  });

  it('moves nobody and predicts by odds alone when all weights are 0', () => {
    const contest = { teams: [[rated(1900)], [rated(1500)]], weights: [[0], [0]], odds: [Math.log(3), 0] };
    expect(elo().predict(contest)[0]).toBeCloseTo(0.75, 12);
    expect(elo().rate(contest, [2, 1])).toEqual(contest.teams);
  });

  it('is zero-sum for constant K and teams that count equally much', () => {
    const share = fc.double({ min: 0.05, max: 1, noNaN: true });
    const player = fc.record({ rating: anyRating, share });
    const team = fc.array(player, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(team, team, fc.constantFrom([1, 2], [2, 1], [1, 1]), (one, other, ranks) => {
        const size = (one.length + other.length) / 2;
        const both = [one, other];
        const weights = both.map((members) => {
          const total = members.reduce((sum, each) => sum + each.share, 0);
          return members.map((each) => (each.share * size) / total);
        });
        const teams = both.map((members) => members.map(({ rating }) => rated(rating)));
        const sum = (states: EloState[][]): number =>
          states.flat().reduce((total, { rating }) => total + rating, 0);
        expect(sum(elo().rate({ teams, weights }, ranks))).toBeCloseTo(sum(teams), 6);
      }),
    );
  });

  it('compares more than two teams in pairs, each counting its part', () => {
    const teams = [[rated(1500)], [rated(1500)], [rated(1500)], [rated(1500)]];
    const after = elo().rate({ teams }, [1, 2, 2, 4]).flat();
    expect(after.map(({ rating }) => rating)).toEqual([1516, 1500, 1500, 1484]);
    expect(elo().predict({ teams, odds: [Math.log(3), 0, 0, 0] })[0]).toBeCloseTo(0.5, 12);
  });

  it('with three teams predicts like two when the third has no chance', () => {
    const teams = [[rated(1700)], [rated(1500)], [rated(-1e6)]];
    const [first = 0, second = 0, third = 1] = elo().predict({ teams });
    const [alone = 0] = elo().predict({ teams: teams.slice(0, 2) });
    expect(first).toBeCloseTo(alone, 12);
    expect(first + second).toBeCloseTo(1, 12);
    expect(third).toBe(0);
  });
});

describe('R5 Elo, uncertainty', () => {
  it('begins at the set value, never grows, and ends at its floor or the noise of K', () => {
    const model = elo();
    const sigmas = [0, 1, 5, 20, 50, 100, 1000].map((games) => model.belief(rated(1500, games)).sigma);
    expect(sigmas[0]).toBe(350);
    expect(sigmas).toEqual([...sigmas].sort((a, b) => b - a));
    // K / (4b(2 − Kb)) with b = ln 10 / 1600.
    expect(sigmas.at(-1)).toBeCloseTo(53.34, 2);
  });

  it.each([0, 10, 30, 100])('is calibrated: simulated duels with equals, %i games each', (games) => {
    const model = elo({ uncertainty: 250 });
    const random = seededRandom(5);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let squares = 0;
    const players = 1500;
    for (let i = 0; i < players; i++) {
      const truth = 1500 + 250 * normal();
      let player = model.initial();
      for (let game = 0; game < games; game++) {
        // An opponent with a correct rating, equal to the player's.
        const wins = random() < 1 / (1 + 10 ** ((player.rating - truth) / 400));
        player =
          model.rate({ teams: [[player], [rated(player.rating)]] }, wins ? [1, 2] : [2, 1])[0]?.[0] ?? player;
      }
      squares += (player.rating - truth) ** 2;
    }
    const real = Math.sqrt(squares / players);
    const said = model.belief(rated(1500, games)).sigma;
    expect(said / real).toBeGreaterThan(0.85);
    expect(said / real).toBeLessThan(1.15);
  });

  it('treats a set uncertainty as the games that would have led there', () => {
    const model = elo();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (games) => {
        const { sigma } = model.belief(rated(1500, games));
        const seeded = model.seed({ mu: 1700, sigma });
        expect(seeded.rating).toBe(1700);
        expect(model.belief(seeded).sigma).toBeCloseTo(sigma, 6);
      }),
    );
  });
});
