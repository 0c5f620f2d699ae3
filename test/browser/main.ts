// `npm run test:browser`: a real Chromium drives every page of the dashboard while the demo plays. Pages show what the API answers;
// each action is offered to its roles alone, and done by the least of them with the keyboard; every page is usable at 390 to 2,560 px in
// both themes, by axe-core; no page says an error, breaks its policy, or makes a call that the OpenAPI document lacks.
//
//   npm run test:browser -- --pictures    also takes the pictures of the documents anew
import { operatorRoles, type EndpointName, type OperatorRole } from '@muster/contracts';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { Checks, endWithin, soon } from '../support/checks.js';
import { ask, jsonOf } from '../support/http.js';
import { actsOf } from './acts.js';
import { leastRole, offered, perform, roleBelow, unreachable, wrongDialog, wrongOffers } from './actions.js';
import { addressesOf } from './addresses.js';
import { wrongLooks } from './appearance.js';
import { launchChromium } from './chromium.js';
import { Documented } from './documented.js';
import { takePictures } from './pictures.js';
import { Shown } from './shown.js';
import { comparisons } from './shows.js';
import { hasPolicy, keepsSession, refusesOthers, takesCode } from './sign-in.js';
import { startStage, type Stage } from './stage.js';
import { Visitor } from './visitor.js';
import { Watch } from './watch.js';
import { mostScriptBytes, scriptBytes } from './weight.js';

/** The whole test ends within this time. */
const limitMs = 1_200_000;
/** A page that shows what the API answers does so within this time: it asks again when something happens. */
const freshSeconds = 20;

const { values: options } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } });

const checks = new Checks();
const { stops, stopAll } = endWithin(limitMs);

type Visitors = Readonly<Record<OperatorRole, Visitor>>;

async function visitorsOf(browser: Browser, watch: Watch, { stack, keys }: Stage): Promise<Visitors> {
  const all = await Promise.all(
    operatorRoles.map(
      async (role) =>
        [role, await Visitor.signIn(browser, watch, { url: stack.url, role, key: keys[role] })] as const,
    ),
  );
  return Object.fromEntries(all) as Record<OperatorRole, Visitor>;
}

async function drive(): Promise<void> {
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const stage = await startStage();
  stops.push(() => stage.stop());
  const watch = new Watch(new Documented(jsonOf(await ask(stage.stack.url, '/openapi.json'))));
  for (const key of Object.values(stage.keys)) watch.hides(key);
  /** A check that also fails by what the pages said meanwhile. */
  const check = (name: string, act: () => Promise<void>): Promise<void> =>
    checks.run(name, async () => {
      await act();
      none(watch.takeWrong());
    });

  await check('the page has a strict policy', () => hasPolicy(stage));
  await check('keys of others do not sign in', () => refusesOthers(browser, watch, stage));
  await check('a key signs in a tab and those beside it, until one signs out', () =>
    keepsSession(browser, watch, stage),
  );
  await check('the code of a link signs in once', () => takesCode(browser, watch, stage));
  await check(`the overview needs scripts of at most ${mostScriptBytes / 1_000} KB`, async () => {
    const bytes = await scriptBytes(browser, watch, { url: stage.stack.url, key: stage.keys.viewer });
    console.log(`        ${Math.round(bytes / 1_000)} KB`);
    if (bytes > mostScriptBytes) throw new Error(`${bytes} bytes`);
  });

  const visitors = await visitorsOf(browser, watch, stage);
  const addresses = addressesOf(stage.ids);
  for (const { name, path, role = 'viewer', lacks } of comparisons(stage))
    await check(`${name} shows what the API answers`, async () => {
      await visitors[role].open(path);
      await soon(async () => lacks(await Shown.by(visitors[role])), freshSeconds);
    });
  const looker = await Visitor.signIn(browser, watch, {
    url: stage.stack.url,
    role: 'admin',
    key: stage.keys.admin,
  });
  const look = async (): Promise<void> => {
    for (const address of addresses)
      await check(`${address.name} is usable at every width and in both themes`, async () =>
        none(await wrongLooks(looker, address)),
      );
  };
  const found = new Set<EndpointName>();
  const offer = async (): Promise<void> => {
    for (const address of addresses)
      await check(`${address.name} offers each role what it may do, in reach of the keyboard`, async () => {
        const { wrong, calls } = await wrongOffers(visitors, address);
        for (const call of calls) found.add(call);
        none([...wrong, ...(await unreachable(visitors.admin, address))]);
      });
  };
  // Beside each other: one waits while the other draws.
  await Promise.all([look(), offer()]);
  const acts = actsOf(stage);
  await check('every action is done by this test', async () => {
    const done = new Set(acts.map(({ call }) => call));
    none([...found].filter((call) => !done.has(call)));
  });
  for (const act of acts)
    await check(`${leastRole(act.call)} does ${act.call} at ${act.path}`, async () => {
      const below = roleBelow(act.call);
      if (below && (await offered(visitors[below], act.path)).has(act.call))
        throw new Error(`it is offered to the role ${below}`);
      const visitor = visitors[leastRole(act.call)];
      none(await wrongDialog(visitor, act));
      await perform(visitor, watch, act);
    });
  await check('every request is in the OpenAPI document', async () => {
    const operations = new Set(watch.calls.map(({ operation }) => operation));
    console.log(`        ${watch.calls.length} requests of ${operations.size} calls`);
  });
  if (options.pictures)
    await check('the pictures of the documents are taken', () => takePictures(visitors.admin, stage.ids));
}

function none(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

try {
  await drive();
} catch (error) {
  checks.fail('the system and the browser start', error);
}
await stopAll();
console.log(checks.line);
process.exit(checks.failed === 0 ? 0 : 1);
