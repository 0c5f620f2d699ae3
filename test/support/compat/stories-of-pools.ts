import { refused, until, type Cast } from './cast.js';

/** Ratings set by operators, results from elsewhere, a rebuild, a voided match. */
export async function pools({ operator }: Cast): Promise<void> {
  const eventId = 'compat-set-1';
  await operator.createPool({ name: 'compat-cup', circumstances: [] });
  await operator.setRating('compat-cup', 'compat-ann', { mu: 30, sigma: 2, reason: 'Won a cup.', eventId });
  await operator.setRating('compat-cup', 'compat-bob', { mu: 20, reason: 'Seen to play.' });
  await operator.resetRating('compat-cup', 'compat-bob', { reason: 'Sold the account.' });
  await refused('pool-not-found', operator.rating('compat-nowhere', 'compat-ann'));
  const played = { pool: 'compat-cup', teams: [['compat-ann'], ['compat-bob']], playedAt: Date.now() };
  const { matchId } = await operator.reportMatch({ ...played, eventId: 'compat-cup-1', ranks: [1, 2] });
  await operator.reportMatch({ ...played, eventId: 'compat-cup-1', ranks: [1, 2] });
  await operator.reportMatch({ ...played, eventId: 'compat-cup-2', ranks: [1, 1], sides: ['home', 'away'] });
  await refused(
    'result-contradicts',
    operator.reportMatch({ ...played, eventId: 'compat-cup-1', ranks: [2, 1] }),
  );
  await operator.predict('compat-cup', { teams: [['compat-ann'], ['compat-bob']] });
  await operator.poolHealth('compat-cup', { periods: 2 });
  await operator.poolHealthPlot('compat-cup', { plot: 'calibration' });
  await operator.ratingHistory('compat-cup', 'compat-bob');
  await operator.rebuildPool('compat-cup', { reason: 'For these stories.' });
  const rebuilt = (): Promise<unknown> =>
    until(
      () => operator.rebuilds('compat-cup'),
      ({ rebuilds }) => rebuilds.every(({ state }) => state === 'done'),
    );
  await rebuilt();
  await operator.voidMatch(matchId, 'Played by bots.');
  await rebuilt();
  await until(
    () => operator.match(matchId),
    ({ state }) => state === 'void',
  );
  await operator.voidMatch(matchId, 'Again.');
}
