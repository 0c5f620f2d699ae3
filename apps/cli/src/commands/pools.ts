import { Argument, Option } from 'commander';
import { wholeNumber } from '@muster/command-line/options/values';
import { call, composed, type Row } from '../calls/call.js';
import { changePool, changedText } from '../pool/change.js';
import { createdText, createPool } from '../pool/create.js';
import { findModels, modelText } from '../pool/models.js';
import { ruleHelp, ruleTakes } from '../pool/takes.js';

const { names, parse } = ruleTakes;

/** Rating pools. Texts that need models of skill are loaded when they are asked for. */
export const poolRows: readonly Row[] = [
  call('pools list', 'listPools', '', {
    table: {
      pools: [
        'name',
        'gameMode',
        'modifiers',
        ['model', ({ rules }) => rules.model],
        'version',
        'generation',
      ],
    },
  }),
  composed('pools models', 'listModels', 'elo', findModels, {
    extra: [new Argument('[model]', 'only this model')],
    says: ({ models }, { ink }) => models.flatMap((model) => ['', ...modelText(model, ink)]).slice(1),
  }),
  composed('pools create', 'createPool', 'ladder --model elo --set k=24 --mode ctf', createPool, {
    about: 'Create a rating pool.',
    help: `${ruleHelp}\n\nAn existing pool is unchanged, and the output says so; if it differs from your options, the exit code is 1.`,
    arguments: ['name'],
    names: { ...names, gameMode: 'mode', modifiers: 'modifier' },
    means: { name: 'small letters, digits and -', gameMode: 'the game mode that is played' },
    parse,
    says: createdText,
    exitCode: ({ differences }) => (differences.length > 0 ? 1 : 0),
  }),
  call('pools show', 'readPool', 'ladder --offsets 50', {
    help: `Offsets are the effects besides skill that the pool has learned: sides, venues, larger teams and parties, in log-odds, each with its
uncertainty. For two sides, the resulting chance of even teams is shown as well.`,
    extra: [
      new Option('--offsets <n>', 'how many offsets, strongest first')
        .argParser(wholeNumber(0, 10_000))
        .default(12),
    ],
    says: async (pool, { ink, ask, extra }) => {
      const [{ showText }, { models }] = await Promise.all([
        import('../pool/show.js'),
        ask((operator) => operator.models()),
      ]);
      return showText(pool, models, Number(extra['offsets']), ink);
    },
  }),
  composed('pools change', 'changePool', 'ladder --set k=16 --party-bonus fixed', changePool, {
    ...ruleTakes,
    about: 'Change a pool’s rules from now on.',
    help: `${ruleHelp}\n\nThe change applies from the next match on, as a new version. "muster pools rebuild" rates the history under other rules.`,
    without: ['model'],
    says: (pool, { given: { pool: _name, ...rules } }) => changedText(pool, Object.keys(rules)),
  }),
  composed(
    'pools health',
    'readPoolHealth',
    'ladder --matches 2000 --periods 20',
    async (ask, given, extra) => (await import('../pool/health.js')).readHealth(ask, given, extra),
    {
      about: 'Show the quality of a pool’s predictions over time.',
      help: `Every match was predicted before it was rated. Accuracy is the share of winners that were favourites. Smaller log-loss and Brier scores
are better; a coin flip has 0.693 and 0.25. Raw figures use the model's chances, calibrated ones the chances that Muster shows.
Drift is the distance of the mean rating from the start value, in start uncertainties.`,
      extra: [
        new Option('--plot <file>', 'plot log-loss, Brier score, drift and convergence over time as SVG'),
        new Option('--calibration-plot <file>', 'plot predictions against results as SVG'),
      ],
      says: async (health, { ink, extra }) =>
        (await import('../pool/health.js')).healthText(health, extra, ink),
    },
  ),
  call('pools rebuilds', 'listRebuilds', 'ladder', {
    table: {
      rebuilds: ['startedAt', 'state', 'model', 'done', 'total', 'skipped', 'generation', 'reason', 'error'],
    },
  }),
  call('pools placement', 'readPlacement', 'ladder', {
    help: 'A pool with the rule --placement fits a regression from the stats of results to the ratings of its converged players.',
  }),
];
