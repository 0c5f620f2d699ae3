import fc from 'fast-check';

/** Any finite number. */
export const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Any finite number above 0. */
export const anyPositive = anyNumber.map(Math.abs).filter((value) => value > 0);

/**
 * Matches as input of a rating model, from ordinary to extreme: two to five teams of one to four, with and without weights
 * (0 and 1 among them) and odds, at any time, ranked with ties.
 */
export const contestsOf = <S>(state: fc.Arbitrary<S>) =>
  fc.array(fc.array(state, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 }).chain((teams) => {
    const eachTeam = { minLength: teams.length, maxLength: teams.length };
    const weights = teams.map((team) =>
      fc.array(fc.oneof(fc.constantFrom(0, 1), anyPositive), {
        minLength: team.length,
        maxLength: team.length,
      }),
    );
    return fc.record({
      teams: fc.constant(teams),
      weights: fc.option(fc.tuple(...weights), { nil: undefined }),
      odds: fc.option(fc.array(anyNumber, eachTeam), { nil: undefined }),
      at: anyNumber,
      ranks: fc.array(fc.integer({ min: 1, max: 3 }), eachTeam),
    });
  });
