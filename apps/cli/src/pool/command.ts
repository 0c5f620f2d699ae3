import type { Command } from 'commander';
import { operatorOptions, poolName, reason, type OperatorOptions } from '../operator/options.js';
import { wholeNumber } from '../up/options.js';
import type { CreateOptions } from './create.js';
import type { HealthOptions } from './health.js';
import type { RebuildOptions } from './rebuild.js';
import { ruleHelp, ruleOptions, type RuleOptions } from './rule-options.js';

const help = `
A rating pool (a ladder) has a model that rates its matches, and learns from results how far the model's chances can be
trusted and what sides, places, numbers and friends are worth. Each change of rules is a new version; a rebuild rates the
whole history anew as a new generation, while results keep coming.

Examples: npm run -s muster -- pool models
          npm run -s muster -- pool create ranked-ctf --model glicko2 --mode ctf --set tau=0.5
          npm run -s muster -- pool health ranked-ctf --plot health.svg
          npm run -s muster -- pool rebuild ranked-ctf --model openskill-plackett-luce --reason "it predicts better"`;

const createHelp = `${ruleHelp}
A pool that is there already is left as it is, and that is said; if it is not as you ask, the exit code is 1.

Examples: npm run -s muster -- pool create duels
          npm run -s muster -- pool create ctf --model elo --set k=24 --mode ctf --modifier low-gravity
          npm run -s muster -- pool create ladder --divisions "Bronze, Silver=20, Gold=30" --shadow-matches 10`;

const changeHelp = `${ruleHelp}
It holds from the next match on, as a new version; what was rated stays rated. To have the history rated under other rules,
or by another model, use "muster pool rebuild".

Example: npm run -s muster -- pool change ctf --set k=16 --party-bonus fixed`;

const showHelp = `
Offsets are what the pool learned beside skill: log-odds that a side, a place, being more or being friends is worth, each
with its uncertainty. Where there are two sides, there is also the chance that even teams would have with it alone.

Example: npm run -s muster -- pool show ctf --offsets 50`;

const healthHelp = `
Every match was predicted before it was rated. Accuracy is the share of winners that were favourites; log-loss and the
Brier score are better the smaller they are, and a coin flip has 0.693 and 0.25. Raw figures take the model by its word,
calibrated ones are what Muster shows and uses. Drift is how far the mean rating is from where strangers start, in a
stranger's uncertainties.

Examples: npm run -s muster -- pool health ctf --matches 2000 --periods 20
          npm run -s muster -- pool health ctf --plot health.svg --calibration-plot calibration.svg`;

const rebuildHelp = `${ruleHelp}
The ratings in force stay so until the new ones are done. With a model or rules the whole history is rated under these, and
under the pool's present ones where none are given: its own model, named again, will do. Without any, each match is rated
anew as it was rated, and only voided ones leave. Under another model, parameters begin with its defaults, and divisions
keep their distance from the start value. It is watched until it is done; Ctrl-C stops watching, and the rebuild
goes on. "muster pool rebuilds NAME" shows it then.

Exit code: 0 done, 1 failed or could not begin, 130 no longer watched.

Examples: npm run -s muster -- pool rebuild ctf
          npm run -s muster -- pool rebuild ctf --model glicko2 --set tau=0.5 --reason "it predicts better"
          npm run -s muster -- pool rebuild ctf --model hive --refit --no-wait`;

/** Makes a command `muster pool`. @param defaultDataDir where a system on this machine keeps its data */
export function poolCommand(pool: Command, defaultDataDir: string): void {
  pool
    .description('Rating pools: make them, look at them, see how well they predict, rate them anew.')
    .addHelpText('after', help);
  const command = (name: string, description: string): Command => pool.command(name).description(description);
  const finish = (each: Command, more = ''): Command =>
    operatorOptions(each, defaultDataDir).addHelpText('after', more);

  finish(command('list', 'The rating pools there are.')).action(async (options: OperatorOptions) => {
    const { listPools } = await import('./list.js');
    await listPools(options, process.env);
  });

  finish(command('models', 'The rating models there are, with their parameters.'))
    .argument('[model]', 'this one only')
    .action(async (model: string | undefined, options: OperatorOptions) => {
      const { listModels } = await import('./models.js');
      await listModels(model, options, process.env);
    });

  finish(
    ruleOptions(
      command('create', 'Make a rating pool.')
        .argument('<name>', 'small letters, digits and -', poolName)
        .option('--model <name>', 'the rating model; "muster pool models" shows which there are')
        .option('--mode <name>', 'the game mode that is played')
        .option(
          '--modifier <name>',
          'what changes how the game plays; may be given again',
          (text: string, before: readonly string[] = []) => [...before, text],
        ),
    ),
    createHelp,
  ).action(async (name: string, options: CreateOptions) => {
    const { createPool } = await import('./create.js');
    process.exitCode = await createPool(name, options, process.env);
  });

  finish(
    command('show', 'A pool’s rules, what it learned, and what players see.')
      .argument('<name>', 'the pool', poolName)
      .option('--offsets <n>', 'so many offsets, the strongest first', wholeNumber(0, 10_000), 12),
    showHelp,
  ).action(async (name: string, options: OperatorOptions & { readonly offsets: number }) => {
    const { showPool } = await import('./show.js');
    await showPool(name, options, process.env);
  });

  finish(
    ruleOptions(
      command('change', 'Change a pool’s rules from now on.').argument('<name>', 'the pool', poolName),
    ),
    changeHelp,
  ).action(async (name: string, options: OperatorOptions & RuleOptions) => {
    const { changePool } = await import('./change.js');
    await changePool(name, options, process.env);
  });

  finish(
    command('health', 'How good a pool’s predictions were, over time.')
      .argument('<name>', 'the pool', poolName)
      .option('--matches <n>', 'how far back, in matches', wholeNumber(1, 100_000), 10_000)
      .option('--periods <n>', 'into how many parts of as many matches', wholeNumber(1, 500), 30)
      .option('--plot <file>', 'draw log-loss, Brier score, drift and convergence over time as SVG')
      .option('--calibration-plot <file>', 'draw what was said against what happened as SVG'),
    healthHelp,
  ).action(async (name: string, options: HealthOptions) => {
    const { poolHealth } = await import('./health.js');
    await poolHealth(name, options, process.env);
  });

  finish(
    ruleOptions(
      command('rebuild', 'Rate a pool’s whole history anew, under the same or other rules.')
        .argument('<name>', 'the pool', poolName)
        .option('--model <name>', 'another rating model')
        .option('--refit', 'fit all ratings at once to the whole history (model hive)', false)
        .option('--reason <text>', 'why; it is kept', reason)
        .option('--no-wait', 'ask for it and do not watch'),
    ),
    rebuildHelp,
  ).action(async (name: string, options: RebuildOptions) => {
    const { rebuildPool } = await import('./rebuild.js');
    process.exitCode = await rebuildPool(name, options, process.env);
  });

  finish(command('rebuilds', 'A pool’s rebuilds with how far they are, newest first.'))
    .argument('<name>', 'the pool', poolName)
    .action(async (name: string, options: OperatorOptions) => {
      const { listRebuilds } = await import('./rebuilds.js');
      await listRebuilds(name, options, process.env);
    });
}
