import type { SplitAnswer } from '@muster/solver';
import type { DrawnSplit, DrawnTeam, SplitCommandOptions } from './split-players.js';

/** The drawn split as text as text. */
export function asText(drawn: DrawnSplit, options: SplitCommandOptions): string {
  const { teams, answer } = drawn;
  const { min, max, target, bot } = options;
  const humans = total(teams, (team) => team.players.length);
  const places = humans + total(teams, (team) => team.bots);
  return [
    `${counted(humans, 'player')} for ${teams.length} teams`,
    `Map for ${min} to ${max} players (target ${target}), so ${places} places`,
    ...teams.flatMap((team, t) => ['', ...teamLines(team, t, bot)]),
    '',
    drawnSentence(drawn, options),
    ...(answer.ways === null ? [] : [waysSentence(answer.ways)]),
    `Method: ${answer.method}, for ${answer.because}.`,
    certificateSentence(answer),
    ...(answer.shift === 0
      ? []
      : [`Every weight was raised by ${plain(answer.shift)} for the ratios, as they need sums above 0.`]),
    '',
  ].join('\n');
}

/** The same as one JSON document for programs. */
export function asJson({ teams, ratio, answer }: DrawnSplit, options: SplitCommandOptions): string {
  const { min, max, target, bot, best, seed, power } = options;
  const { solutions, chosen, ranked, certificate, method, because, ways, operations, shift } = answer;
  const document = {
    players: total(teams, (team) => team.players.length),
    places: total(teams, (team) => team.players.length + team.bots),
    map: { min, max, target },
    botWeight: bot,
    teams,
    ratio,
    draw: { best, seed, power, from: solutions.length, chosen },
    ranked,
    certificate,
    method,
    because,
    ways,
    operations,
    shift,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function teamLines({ players, bots, sum }: DrawnTeam, t: number, bot: number): string[] {
  const weights = players.map(({ weight }) => plain(weight));
  const width = Math.max(0, ...weights.map((weight) => weight.length));
  return [
    `Team ${t + 1}: ${counted(players.length, 'player')}, ${counted(bots, 'bot')}`,
    ...players.map(({ name }, i) => `  ${(weights[i] ?? '').padStart(width)} ${name}`),
    `  + ${bots} * ${plain(bot)} = ${plain(bots * bot)}`,
    `  = ${plain(sum)}`,
  ];
}

function drawnSentence({ ratio, answer }: DrawnSplit, { best, seed, power }: SplitCommandOptions): string {
  const from = answer.solutions.length;
  const among = from < best ? `all ${from} that there are` : `the ${best} best`;
  const which =
    from === 1
      ? 'this is the best'
      : `drawn as number ${answer.chosen + 1} of ${among} (seed ${seed}, power ${plain(power)})`;
  return `Ratio ${plain(ratio)}, smallest sum to largest; ${which}.`;
}

function waysSentence(ways: number): string {
  const count = Number.isSafeInteger(ways) ? ways.toLocaleString('en') : `about ${ways.toPrecision(2)}`;
  return ways === 1
    ? 'There is one way to split them by the rules.'
    : `There are ${count} ways to split them by the rules.`;
}

function certificateSentence({ certificate }: SplitAnswer): string {
  const { status, value, lowerBound, stopped } = certificate;
  const best = `a ratio above ${plain(1 - value)}`;
  if (status === 'proven') return `Proven: no split has ${best}.`;
  const why = {
    deadline: 'the time was up',
    stalled: 'nothing better was found for long',
    memory: 'the memory was full',
    size: 'there are too many ways to look through all',
  }[stopped ?? 'size'];
  return `Not proven: none was found with ${best}, and none can be above ${plain(1 - lowerBound)}; ${why}.`;
}

/** A number without the noise of its last bits. */
function plain(value: number): string {
  return String(Number(value.toPrecision(10)));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function total<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((sum, item) => sum + of(item), 0);
}
