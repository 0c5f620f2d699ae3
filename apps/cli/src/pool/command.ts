import type { Command } from 'commander';
import { operatorCommands, type Define } from '@muster/command-line/operator/define';
import { operatorOptions, poolName, reason } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import type { RebuildOptions } from './rebuild.js';
import { ruleHelp, ruleOptions } from './rule-options.js';

const help = `
A rating pool (a ladder) has a model that rates its matches, and a calibration that is learned from results: a scale for the
model's chances, and the effects of sides, venues, team sizes and parties. Each change of rules is a new version. A rebuild
rates the whole history again as a new generation, while results keep arriving.

Examples: npm run -s muster -- pool models
          npm run -s muster -- pool create ranked-ctf --model glicko2 --mode ctf --set tau=0.5
          npm run -s muster -- pool health ranked-ctf --plot health.svg
          npm run -s muster -- pool rebuild ranked-ctf --model openskill-plackett-luce --reason "it predicts better"`;

const createHelp = `${ruleHelp}
An existing pool is unchanged, and the output says so; if it differs from your options, the exit code is 1.

Examples: npm run -s muster -- pool create duels
          npm run -s muster -- pool create ctf --model elo --set k=24 --mode ctf --modifier low-gravity
          npm run -s muster -- pool create ladder --divisions "Bronze, Silver=20, Gold=30" --shadow-matches 10`;

const changeHelp = `${ruleHelp}
The change applies from the next match on, as a new version. To rate the history under other rules or by another model, use
"muster pool rebuild".

Example: npm run -s muster -- pool change ctf --set k=16 --party-bonus fixed`;

const showHelp = `
Offsets are the effects besides skill that the pool has learned: sides, venues, larger teams and parties, in log-odds, each
with its uncertainty. For two sides, the resulting chance of even teams is shown as well.

Example: npm run -s muster -- pool show ctf --offsets 50`;

const healthHelp = `
Every match was predicted before it was rated. Accuracy is the share of winners that were favourites. Smaller log-loss and
Brier scores are better; a coin flip has 0.693 and 0.25. Raw figures use the model's chances, calibrated ones the chances
that Muster shows. Drift is the distance of the mean rating from the start value, in start uncertainties.

Examples: npm run -s muster -- pool health ctf --matches 2000 --periods 20
          npm run -s muster -- pool health ctf --plot health.svg --calibration-plot calibration.svg`;

const rebuildHelp = `${ruleHelp}
The current ratings stay in force until the new ones are complete. With a model or rules, the whole history is rated under
these, and under the pool's current rules for the rest; name the current model to use only current rules. Without any, each
match is rated under its own version again, without voided matches. Under another model, parameters start with its defaults,
and divisions keep their distance from the start value. The command waits for the end; Ctrl-C stops waiting, and the rebuild
continues. "muster pool rebuilds NAME" shows it then.

Exit code: 0 done, 1 failed or not started, 130 no longer waiting.

Examples: npm run -s muster -- pool rebuild ctf
          npm run -s muster -- pool rebuild ctf --model glicko2 --set tau=0.5 --reason "it predicts better"
          npm run -s muster -- pool rebuild ctf --model hive --refit --no-wait`;

const placementHelp = `
A pool with the rule --placement fits a regression from the stats that results carry to the ratings of its converged players,
again as its history grows. It is used for newcomers if it tells the ratings of players who were left out of it well enough.

Examples: npm run -s muster -- pool change ctf --placement on
          npm run -s muster -- pool placement ctf`;

/**
 * Defines the command `muster pool`.
 *
 * @param defaultDataDir the data directory of a local system
 * @returns the command that the laboratory defines further
 */
export function poolCommand(pool: Command, defaultDataDir: string): { readonly tune: Command } {
  pool.description('Create, show, change, tune and rebuild rating pools.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  rulesCommands(pool, define);
  historyCommands(pool, define, defaultDataDir);
  const tune = pool.command('tune').description('Find the rules that predict a pool’s own history best.');
  define(
    pool
      .command('placement')
      .description('Show whether a pool places newcomers by their stats, and why.')
      .argument('<name>', 'the pool', poolName),
    async () => (await import('./placement.js')).poolPlacement,
    placementHelp,
  );
  return { tune };
}

/** Commands about pools and their rules. */
function rulesCommands(pool: Command, define: Define): void {
  define(
    pool.command('list').description('List the rating pools.'),
    async () => (await import('./list.js')).listPools,
  );
  define(
    pool
      .command('models')
      .description('List the rating models with their parameters.')
      .argument('[model]', 'only this model'),
    async () => (await import('./models.js')).listModels,
  );
  define(
    ruleOptions(
      pool
        .command('create')
        .description('Create a rating pool.')
        .argument('<name>', 'lower-case letters, digits and -', poolName)
        .option('--model <name>', 'the rating model; "muster pool models" lists them')
        .option('--mode <name>', 'the game mode that is played')
        .option(
          '--modifier <name>',
          'a modifier that changes how the game plays; repeatable',
          (text: string, before: readonly string[] = []) => [...before, text],
        ),
    ),
    async () => (await import('./create.js')).createPool,
    createHelp,
  );
  define(
    pool
      .command('show')
      .description('Show a pool’s rules, calibration and divisions.')
      .argument('<name>', 'the pool', poolName)
      .option('--offsets <n>', 'maximum number of offsets, strongest first', wholeNumber(0, 10_000), 12),
    async () => (await import('./show.js')).showPool,
    showHelp,
  );
  define(
    ruleOptions(
      pool
        .command('change')
        .description('Change a pool’s rules from now on.')
        .argument('<name>', 'the pool', poolName),
    ),
    async () => (await import('./change.js')).changePool,
    changeHelp,
  );
}

/** Commands about what a pool has rated. */
function historyCommands(pool: Command, define: Define, defaultDataDir: string): void {
  define(
    pool
      .command('health')
      .description('Show the quality of a pool’s predictions over time.')
      .argument('<name>', 'the pool', poolName)
      .option('--matches <n>', 'length of the history, in matches', wholeNumber(1, 100_000), 10_000)
      .option('--periods <n>', 'number of equal parts of the history', wholeNumber(1, 500), 30)
      .option('--plot <file>', 'plot log-loss, Brier score, drift and convergence over time as SVG')
      .option('--calibration-plot <file>', 'plot predictions against results as SVG'),
    async () => (await import('./health.js')).poolHealth,
    healthHelp,
  );
  operatorOptions(
    ruleOptions(
      pool
        .command('rebuild')
        .description('Rate a pool’s whole history again, under the same or other rules.')
        .argument('<name>', 'the pool', poolName)
        .option('--model <name>', 'another rating model')
        .option('--refit', 'fit all ratings at once to the whole history (model hive)', false)
        .option('--reason <text>', 'the reason, which is stored', reason)
        .option('--no-wait', 'start it and do not wait'),
    ),
    defaultDataDir,
  )
    .addHelpText('after', rebuildHelp)
    .action(async (name: string, options: RebuildOptions) => {
      const { rebuildPool } = await import('./rebuild.js');
      process.exitCode = await rebuildPool(name, options, process.env);
    });
  define(
    pool
      .command('rebuilds')
      .description('List a pool’s rebuilds with their progress, newest first.')
      .argument('<name>', 'the pool', poolName),
    async () => (await import('./rebuilds.js')).listRebuilds,
  );
}
