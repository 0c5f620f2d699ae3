#!/usr/bin/env node
// Makes a checkout ready to run: the right Node, the dependencies, a fresh build. Needs nothing but Node itself, as it
// runs before anything is installed. A checkout that is ready costs a tenth of a second.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './prepare/build.mjs';
import { checkout, say, Unprepared } from './prepare/checkout.mjs';
import { install } from './prepare/install.mjs';
import { checkNode } from './prepare/node-version.mjs';
import { onlyOne } from './prepare/only-one.mjs';
import { interruptible } from './prepare/step.mjs';

/**
 * Prepares this checkout, one process at a time. A signal meanwhile stops the steps and then this process.
 *
 * @param {{ quiet?: boolean }} options `quiet` says nothing of a build that is quick and succeeds
 * @returns {Promise<boolean>} false when it failed, which it has then explained on stderr
 */
export async function prepare({ quiet = false } = {}) {
  try {
    checkNode({ quiet });
    await interruptible(() =>
      onlyOne(join(checkout, '.muster/prepare.lock'), async () => {
        await install(checkout);
        await build(checkout, { quiet });
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error;
    say(error.message);
    return false;
  }
}

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly && !(await prepare())) process.exitCode = 1;
