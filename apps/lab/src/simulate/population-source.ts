import { inPlainWords } from '@muster/contracts';
import { populationPresets, type Population } from '@muster/lab-simulation';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { readText } from '@muster/command-line/terminal/unreadable';

const from = (least: number, most: number): z.ZodNumber => {
  const error = `must be a number from ${least} to ${most}`;
  return z.number(error).min(least, error).max(most, error);
};
const above0 = (most: number): z.ZodNumber => {
  const error = `must be a number above 0, ${most} at most`;
  return z.number(error).positive(error).max(most, error);
};
const share = from(0, 1);
const skill = from(-1e6, 1e6);
const regionName = z.string('must be the name of a region').regex(/^[\w-]{1,32}$/, {
  error: 'must be the name of a region: letters, digits, _ and -, 32 at most',
});

/** Absent fields are as in the preset. */
const PopulationFile = z.strictObject({
  preset: z.enum([...populationPresets.keys()], {
    error: `must be one of ${[...populationPresets.keys()].join(', ')}`,
  }),
  name: z
    .string('must be a text')
    .min(1, 'must not be empty')
    .max(60, 'must be 60 characters at most')
    .optional(),
  concurrentPlayers: from(2, 2_000_000).optional(),
  accountsPerPlayer: from(2, 1_000).optional(),
  swing: share.optional(),
  regions: z
    .array(
      z.strictObject({
        name: regionName,
        share: above0(1e6),
        peakHour: from(0, 24),
        latencyMs: z.record(regionName, from(0, 10_000), 'must be milliseconds by region'),
      }),
      'must be a list of regions',
    )
    .min(1, 'must have a region at least')
    .max(30, 'must be 30 regions at most')
    .optional(),
  connectionMs: from(0, 1_000).optional(),
  skill: z
    .strictObject({
      mean: skill.optional(),
      sigma: above0(1e6).optional(),
      performance: above0(1e6).optional(),
      ratingError: above0(1e6).optional(),
    })
    .optional(),
  parties: z
    .strictObject({
      shares: z
        .array(from(0, 1e6), 'must be a list of parts, of groups of one player, of two, and so on')
        .min(1, 'must have a part at least')
        .max(50, 'must be 50 parts at most')
        .refine(([alone = 0]) => alone > 0, 'must begin with a part above 0 of those who come alone')
        .optional(),
      friendSpread: from(0, 1e6).optional(),
    })
    .optional(),
  patience: z
    .strictObject({ medianSeconds: above0(86_400).optional(), spread: from(0, 5).optional() })
    .optional(),
  noShow: from(0, 0.5).optional(),
  session: z
    .strictObject({ matches: from(1, 1_000).optional(), breakSeconds: from(0, 86_400).optional() })
    .optional(),
  match: z
    .strictObject({ minutes: above0(1_440).optional(), spreadMinutes: from(0, 1_440).optional() })
    .optional(),
  newcomers: z
    .strictObject({
      share: from(0, 0.9).optional(),
      matches: from(1, 1_000).int('must be a whole number').optional(),
      control: share.optional(),
      smurfs: share.optional(),
      smurfSigmas: from(-10, 10).optional(),
    })
    .optional(),
  roles: z.record(z.string(), share, 'must be parts of the players by role').optional(),
});

/**
 * A population: a preset by name, or a file of overrides.
 *
 * @throws Error with a user-facing message
 */
export async function populationFrom(source: string): Promise<Population> {
  const preset = populationPresets.get(source);
  if (preset) return preset;
  const presets = [...populationPresets.keys()].join(', ');
  const absent = `is not there; give the path of a population file, or a preset: ${presets}.`;
  const text = await readText(source, absent);
  return readPopulation(text, source);
}

/** @param file its name, for messages @throws Error with a user-facing message */
export function readPopulation(text: string, file: string): Population {
  const read = PopulationFile.safeParse(valueOf(text, file), {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no field ${issue.keys.map((key) => `"${key}"`).join(', ')} here`
        : issue.input === undefined
          ? 'is missing'
          : inPlainWords(issue),
  });
  if (!read.success) {
    const lines = read.error.issues.map(({ path, message }) => `${file}: ${where(path)}${message}`);
    throw new Error(lines.join('\n'));
  }
  const { preset, ...given } = read.data;
  const shape = populationPresets.get(preset);
  if (!shape) throw new Error(`${file}: there is no preset ${preset}`);
  const population: Population = {
    ...shape,
    ...present(given),
    name: given.name ?? file,
    skill: { ...shape.skill, ...present(given.skill) },
    parties: { ...shape.parties, ...present(given.parties) },
    patience: { ...shape.patience, ...present(given.patience) },
    session: { ...shape.session, ...present(given.session) },
    match: { ...shape.match, ...present(given.match) },
    newcomers: { ...shape.newcomers, ...present(given.newcomers) },
  };
  const names = population.regions.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${file}: regions: there are two of the name "${twice}"`);
  return population;
}

function valueOf(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return document.toJS() ?? {};
  const { line, col } = lineCounter.linePos(error.pos[0]);
  throw new Error(`${file}:${line}:${col} ${error.message}`);
}

function where(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '';
  return `${path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`)).join('')}: `;
}

/** The given fields: `undefined` must not replace the preset's value. */
function present<T extends object>(given: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
