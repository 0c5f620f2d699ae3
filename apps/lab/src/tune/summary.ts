import { aspectsText } from '@muster/command-line/options/aspects';
import { counted, right, signed, tableLines } from '@muster/command-line/terminal/table';
import type { Gain } from './gain.js';
import { nameOf, type Attempt, type Tuned } from './search.js';

/** The outcome as text. @param what the file or pool @param pool its name, if it is a pool */
export function tunedText(what: string, pool: string | null, tuned: Tuned): string[] {
  const { matches, choosingMatches, judgedMatches, now, attempts, notApplicable, same, lead } = tuned;
  return [
    `${what}: ${counted(matches, 'match', 'matches')}. ${counted(choosingMatches, 'decided match', 'decided matches')} choose, the last ${judgedMatches.toLocaleString('en')} tell the gain.`,
    `Now: ${nameOf(now.rules)}; log-loss ${now.judged.toFixed(4)} on the last fifth.`,
    lead === null
      ? 'Scores: none that are known of most matches, so no margin was tried.'
      : `Scores: the median lead is ${lead}.`,
    '',
    ...tableLines(
      ['rules', ...right('choosing', 'last fifth', 'gain', '95 % interval')],
      attempts.map((attempt) => [
        `${attempt === tuned.better ? '* ' : '  '}${titleOf(attempt)}`,
        attempt.choosing.toFixed(4),
        attempt.judged.toFixed(4),
        signed(attempt.gain.mean, 4),
        intervalText(attempt.gain),
      ]),
    ),
    '',
    ...(same.length === 0
      ? []
      : [
          'The same predictions on this history:',
          ...same.map(({ rules, as }) => `  ${rules}: as ${as}`),
          '',
        ]),
    ...(notApplicable.length === 0
      ? []
      : ['Not applicable:', ...notApplicable.map(({ model, reason }) => `  ${model}: ${reason}`), '']),
    ...verdict(pool, tuned),
  ];
}

function verdict(pool: string | null, { better, best, now }: Tuned): string[] {
  if (better)
    return [
      `Better: ${nameOf(better.rules)}. It was chosen without the last fifth, and gains ${signed(better.gain.mean, 4)} there (${intervalText(better.gain)}).`,
      pool === null
        ? 'A pool would rate by it with the same --model, --set and --aspects of "muster pools create" or "muster pools rebuild".'
        : `"muster pools tune ${pool} --apply" changes the pool’s rules and rebuilds it: ${changeOf(better)}.`,
    ];
  if (!best) return ['Keep the present rules: no others can rate this history.'];
  const name = `the best others that may be chosen, ${nameOf(best.rules)},`;
  if (best.choosing >= now.choosing)
    return [
      `Keep the present rules: ${name} predict the choosing matches no better (log-loss ${best.choosing.toFixed(4)}, now ${now.choosing.toFixed(4)}).`,
    ];
  const gain = `gain ${signed(best.gain.mean, 4)} on the last fifth (${intervalText(best.gain)})`;
  return [`Keep the present rules: ${name} ${gain}, ${best.gain.to < 0 ? 'a loss' : 'which may be chance'}.`];
}

/** The change as options of a rebuild. */
export function changeOf({ rules }: Attempt): string {
  const set = Object.entries(rules.parameters).map(([name, value]) => ` --set ${name}=${value}`);
  const aspects = aspectsText(rules.aspects);
  return `--model ${rules.model}${set.join('')}${aspects === '' ? '' : ` --aspects "${aspects}"`}`;
}

function titleOf(attempt: Attempt): string {
  return attempt.stacked ? `stacked (measured only): ${attempt.stacked.join(' + ')}` : nameOf(attempt.rules);
}

function intervalText({ from, to }: Gain): string {
  return `${signed(from, 4)} to ${signed(to, 4)}`;
}
