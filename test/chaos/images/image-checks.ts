import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Daemon } from './daemon.js';
import type { Findings } from './findings.js';

export const images = ['queue', 'assignment', 'allocator', 'rating', 'edge', 'muster'] as const;
const tagOf = (name: string): string => `${name === 'muster' ? name : `muster-${name}`}:test`;
const mostBytes = 250 * 1024 * 1024;

const Image = z
  .array(
    z.object({
      Size: z.number(),
      Config: z.object({
        User: z.string(),
        Labels: z
          .record(z.string(), z.string())
          .nullable()
          .transform((labels) => labels ?? {}),
        Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
      }),
    }),
  )
  .length(1);

const Sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string() })).min(20),
});

async function inspect(daemon: Daemon, image: string): Promise<z.infer<typeof Image>[number]> {
  const [found] = Image.parse(JSON.parse(await daemon.run(['image', 'inspect', image])));
  if (!found) throw new Error(`there is no image ${image}`);
  return found;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** Looks at the images themselves. */
export async function checkImages(
  daemon: Daemon,
  findings: Findings,
  say: (text: string) => void,
): Promise<void> {
  const base = await inspect(daemon, 'muster-test/node');
  const found = await Promise.all(
    images.map(async (name) => ({ name, image: await inspect(daemon, tagOf(name)) })),
  );
  for (const { name, image } of found)
    say(
      `        ${tagOf(name)}: ${megabytes(image.Size - base.Size)} over its base of ${megabytes(base.Size)}`,
    );
  findings.add(
    'every image is under 250 MB over its base',
    found.filter(({ image }) => image.Size - base.Size > mostBytes).map(({ name }) => name),
  );
  findings.add(
    'every image names a user other than root by number',
    found.filter(({ image }) => image.Config.User !== '1000:1000').map(({ name }) => name),
  );
  findings.add(
    'every image has the labels of the OCI',
    found.flatMap(({ name, image: { Config } }) =>
      ['title', 'description', 'version', 'revision', 'licenses']
        .filter((label) => !Config.Labels[`org.opencontainers.image.${label}`])
        .map((label) => `${name}: ${label}`),
    ),
  );
  findings.add(
    'every service and the edge have a health check',
    found
      .filter(({ name, image }) => name !== 'muster' && image.Config.Healthcheck?.Test[0] !== 'CMD')
      .map(({ name }) => name),
  );
  await findings.check('every image has its SBOM', () => sboms(daemon));
  await findings.check('the commands work without the checkout', () => commands(daemon));
}

/** Reads the files out of the images, as an operator would. @returns what is wrong */
async function sboms(daemon: Daemon): Promise<string[]> {
  const folder = join(daemon.folder, 'sbom');
  mkdirSync(folder);
  const wrong = await Promise.all(
    images.map(async (name) => {
      const id = (await daemon.run(['create', tagOf(name)])).trim();
      const file = join(folder, `${name}.json`);
      await daemon.run(['cp', `${id}:/app/sbom.cdx.json`, file]);
      await daemon.run(['rm', id]);
      const { components } = Sbom.parse(JSON.parse(readFileSync(file, 'utf8')));
      const wanted = name === 'muster' ? ['commander'] : name === 'edge' ? ['fastify', 'uplot'] : ['fastify'];
      return wanted
        .filter((each) => !components.some((component) => component.name === each))
        .map((each) => `${name} lacks ${each}`);
    }),
  );
  return wrong.flat();
}

/** @returns what is wrong */
async function commands(daemon: Daemon): Promise<string[]> {
  const locked = ['run', '--rm', '--network', 'none', '--read-only', '--cap-drop', 'ALL', tagOf('muster')];
  const version = await daemon.run([...locked, '--version']);
  const unknown = await daemon.attempt([...locked, 'migrate']);
  const up = await daemon.attempt([...locked, 'up']);
  return [
    ...(/^\d+\.\d+\.\d+/.test(version) ? [] : [`--version says ${version}`]),
    ...(unknown.code === 1 && /Set DATABASE_URL/.test(unknown.all) ? [] : [`migrate says ${unknown.all}`]),
    ...(up.code === 1 && !/^\s+at |Require stack/m.test(up.all) ? [] : [`up says ${up.all}`]),
  ];
}
