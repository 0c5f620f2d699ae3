import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters, type ModelParameters } from '../parameters.js';
import { compression, convergence, gain, logisticScale, roundHalfEven } from './formulas.js';
import { syneloKind, type SynEloState } from './synelo.js';
import { RoundWindow } from './window.js';

const synelo = (given: ModelParameters = {}) => syneloKind.open(readParameters(syneloKind.parameters, given));
const half = 2 ** 29;

function windowOf(rounds: readonly (readonly [rating: number, surplus: number])[], most = 500): RoundWindow {
  return rounds.reduce((window, [rating, surplus]) => window.with(rating, surplus, most), RoundWindow.empty);
}

describe('R8 SynElo, formulas by hand', () => {
  it('Θ is 400 times the floored median of the team sizes', () => {
    // Medians: 1, 1½, 2, 2½, 6½ and 9.
    expect([1, 2, 3, 4, 12, 17].map(logisticScale)).toEqual([400, 400, 800, 800, 2400, 3600]);
  });

  it('F1 and F2: four strangers, 2100 against 1900, Θ = 400', () => {
    // P = 1 / (1 + e^(−200/400)) = 0.622459; the favourites win, so S − P is 0.377541 for them.
    // G is 1 at 1000 and e^(−100² / (2·400²)) = 0.969233 at 1100 and 900: K is 72 and 69.8463.
    // 72 · 0.377541 = 27.18 and 69.8463 · 0.377541 = 26.37.
    const model = synelo({ kMax: 2 });
    const of = (mu: number): SynEloState => model.seed({ mu, sigma: 100 });
    const teams = [
      [of(1100), of(1000)],
      [of(900), of(1000)],
    ];
    expect(model.predict({ teams })[0]).toBeCloseTo(0.6224593312018546, 12);
    const after = model.rate({ teams }, [1, 2]);
    expect(after.flat().map(({ rating }) => rating)).toEqual([1126, 1027, 874, 973]);
    // A draw: S − P = −0.122459; 72 of it are −8.82, 69.8463 are −8.55.
    const drawn = model.rate({ teams }, [1, 1]);
    expect(drawn.flat().map(({ rating }) => rating)).toEqual([1091, 991, 909, 1009]);
  });

  it('F2: nobody falls below the floor', () => {
    const model = synelo({ kMax: 1, spread: 1e6 });
    const teams = [[model.seed({ mu: 101, sigma: 1 })], [model.seed({ mu: 101, sigma: 1 })]];
    expect(model.rate({ teams }, [2, 1])[0]?.[0]?.rating).toBe(100);
  });

  it('F3: an even number of rounds', () => {
    // Halves of 1020 and 1010: 10/72 = 0.138889. Surplus (½+½−½+½)/4 = 0.25, over 0.1: 2.5.
    // About 1015: 25 + 225 + 225 + 25 = 500, over 4: 125, root 11.18034, over 72: 0.155282.
    // 0.25·0.138889 + 0.25·2.5 + 0.5·0.155282 = 0.737363.
    const window = windowOf([
      [1010, half],
      [1030, half],
      [1000, -half],
      [1020, half],
    ]);
    expect(convergence(window)).toBeCloseTo(0.737363, 6);
  });

  it('F3: of an odd number the middle round is in neither half', () => {
    // 1000 and 1012: 12/72 = 0.166667. Surplus 0. About 1004: 16 + 16 + 64 = 96, over 3: 32, root 5.656854, over 72: 0.078567.
    const window = windowOf([
      [1000, -half],
      [1000, 0],
      [1012, half],
    ]);
    expect(convergence(window)).toBeCloseTo(0.25 * 0.1666667 + 0.5 * 0.0785674, 6);
  });

  it('F3: a newcomer has 1; one round counts by its surprise alone', () => {
    expect(convergence(RoundWindow.empty)).toBe(1);
    expect(convergence(windowOf([[1500, 0]]))).toBe(0);
    expect(convergence(windowOf([[1500, 0.04 * 2 ** 30]]))).toBeCloseTo(0.1, 8);
    expect(convergence(windowOf([[1500, half]]))).toBe(1);
  });

  it('F4 and F5: K from 2 to 72', () => {
    expect(compression(1000, 1000, 400)).toBe(1);
    expect(compression(1400, 1000, 400)).toBeCloseTo(0.6065306597, 9);
    expect(compression(600, 1000, 400)).toBe(compression(1400, 1000, 400));
    expect([gain(1, 1), gain(0, 1), gain(1, 0), gain(0.5, 0.5)]).toEqual([72, 2, 2, 19.5]);
  });

  it('rounds halves to even', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, 2.6, -2.6].map((x) => roundHalfEven(x) + 0)).toEqual([
      0, 2, 2, 0, -2, 2, 3, -3,
    ]);
  });
});

describe('R8 SynElo, play', () => {
  it('depends on the order of results: the same record twice, against equals', () => {
    const play = (results: string): number => {
      const model = synelo();
      let player = model.initial();
      for (const result of results) {
        const equal = model.seed({ mu: player.rating, sigma: 1 });
        player =
          model.rate({ teams: [[player], [equal]] }, result === 'W' ? [1, 2] : [2, 1])[0]?.[0] ?? player;
      }
      return player.rating;
    };
    expect(play('WLWL'.repeat(10))).toBe(937);
    expect(play('LWLW'.repeat(10))).toBe(1063);
  });

  it('weights sums and steps; absent players get no round', () => {
    const model = synelo({ kMax: 1 });
    const stranger = model.initial();
    const teams = [
      [stranger, stranger],
      [stranger, stranger],
    ];
    const weights = [
      [1, 0.5],
      [1, 0],
    ];
    const chance = 1 / (1 + Math.exp(-500 / 400));
    expect(model.predict({ teams, weights })[0]).toBeCloseTo(chance, 12);
    const [[full, part], [, none]] = model.rate({ teams, weights }, [1, 2]) as SynEloState[][] as [
      [SynEloState, SynEloState],
      [SynEloState, SynEloState],
    ];
    expect(full.rating).toBe(1000 + Math.round(72 * (1 - chance)));
    expect(part.rating).toBe(1000 + Math.round(36 * (1 - chance)));
    expect(none).toBe(stranger);
    // More than a whole round counts as one.
    const [[heavy]] = model.rate({ teams: [[stranger], [stranger]], weights: [[3], [3]] }, [1, 2]) as [
      [SynEloState],
    ];
    expect(heavy.rating).toBe(1036);
  });

  it('allows two successors of one state, both correct', () => {
    const model = synelo({ window: 5 });
    const rival = model.seed({ mu: 1100, sigma: 1 });
    const next = (player: SynEloState, won: boolean): SynEloState =>
      model.rate({ teams: [[player], [rival]] }, won ? [1, 2] : [2, 1])[0]?.[0] ?? player;
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 14 }),
        fc.array(fc.boolean(), { maxLength: 14 }),
        fc.array(fc.boolean(), { maxLength: 14 }),
        (stem, one, other) => {
          const fork = stem.reduce(next, model.initial());
          const written = model.write(fork);
          const first = one.reduce(next, fork);
          const second = other.reduce(next, fork);
          const thirdAsFirst = one.reduce(next, fork);
          const alone = [...stem, ...other].reduce(next, model.initial());
          expect(model.write(fork)).toEqual(written);
          expect(model.write(second)).toEqual(model.write(alone));
          expect(second.window).toEqual(alone.window);
          expect(model.write(thirdAsFirst)).toEqual(model.write(first));
        },
      ),
    );
  });

  it.each([7, 50, 500])(
    'continues from a deserialised state as from the original: window of %i',
    (window) => {
      const model = synelo({ window, kMax: 5 });
      const random = seededRandom(window);
      let live = Array.from({ length: 4 }, () => model.initial());
      let stored = live.map((state) => JSON.stringify(model.write(state)));
      for (let round = 0; round < 2 * window + 100; round++) {
        const ranks = random() < 0.6 ? [1, 2] : random() < 0.8 ? [2, 1] : [1, 1];
        const rate = (states: SynEloState[]): SynEloState[] =>
          model
            .rate(
              {
                teams: [states.slice(0, 2), states.slice(2)],
                weights: [
                  [1, 0.7],
                  [1, 1],
                ],
              },
              ranks,
            )
            .flat();
        live = rate(live);
        stored = rate(stored.map((text) => model.read(JSON.parse(text)))).map((state) =>
          JSON.stringify(model.write(state)),
        );
      }
      const restored = stored.map((text) => model.read(JSON.parse(text)));
      expect(restored).toEqual(live);
      expect(stored).toEqual(live.map((state) => JSON.stringify(model.write(state))));
      expect(live.map((state) => model.brief(state))).toEqual(restored.map((state) => model.brief(state)));
      expect(live.every((state) => state.window.length === window)).toBe(true);
      if (window === 500) expect(Math.max(...stored.map(({ length }) => length))).toBeLessThan(6_000);
    },
  );

  it('shows a readable state, without the window', () => {
    const model = synelo();
    expect(model.brief(model.initial())).toEqual({ rating: 1000, rounds: 0, convergence: 1, k: 72 });
    expect(model.belief(model.initial())).toEqual({ mu: 1000, sigma: 400 });
  });

  it('gets more certain with rounds, but never more than its own K allows', () => {
    const model = synelo({ kMax: 1 });
    let player = model.initial();
    for (let round = 0; round < 400; round++) {
      const equal = model.seed({ mu: player.rating, sigma: 1 });
      player =
        model.rate({ teams: [[player], [equal]] }, round % 2 === 0 ? [1, 2] : [2, 1])[0]?.[0] ?? player;
    }
    const { k } = model.brief(player) as { k: number };
    expect(model.belief(player).sigma).toBeGreaterThanOrEqual(Math.max(20, k));
    expect(model.belief(player).sigma).toBeLessThan(100);
  });
});

describe('R8 SynElo, the window', () => {
  const round = fc.tuple(
    fc.integer({ min: 0, max: 1_000_000 }),
    fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
  );

  it('keeps exactly the sums of a full recount', () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 60 }), fc.integer({ min: 2, max: 12 }), (rounds, most) => {
        const window = windowOf(rounds, most);
        const last = rounds.slice(-most);
        const middle = last.length >> 1;
        const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
        const ratings = last.map(([rating]) => rating);
        expect({ ...window }).toEqual({
          length: last.length,
          older: sum(ratings.slice(0, middle)),
          newer: sum(ratings.slice(last.length - middle)),
          total: sum(ratings),
          squares: sum(ratings.map((rating) => rating * rating)),
          surplus: sum(last.map(([, surplus]) => surplus)),
        });
        expect({ ...RoundWindow.read(window.write(), most) }).toEqual({ ...window });
      }),
    );
  });

  it('shrinks when its limit is lowered', () => {
    const rounds = Array.from({ length: 20 }, (_none, i) => [1000 + i, i] as const);
    const shorter = windowOf(rounds, 20).with(2000, 7, 6);
    expect(shorter.write()).toBe(windowOf([...rounds.slice(-5), [2000, 7]], 6).write());
    expect(RoundWindow.read(windowOf(rounds, 20).write(), 6).write()).toBe(
      windowOf(rounds.slice(-6)).write(),
    );
  });

  it('refuses input of other origin', () => {
    expect(() => RoundWindow.read('abc', 5)).toThrow(TypeError);
    expect(() => RoundWindow.read('*AAAAAAAAA', 5)).toThrow(TypeError);
    expect(() => RoundWindow.read('AAAA______', 5)).toThrow(TypeError);
  });
});
