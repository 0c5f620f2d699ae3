import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from './checkout.mjs';
import { interrupted } from './step.mjs';

/** Nobody needs this long between creating a file and writing a line into it, so older and empty is abandoned. */
const abandonedMs = 5000;

/**
 * Not `proper-lockfile`: this guards the installation itself, so no package is there yet.
 *
 * Runs `work` while no other process does so under the same lock file, and waits for its turn when one does.
 * A lock that a killed process left behind is taken over.
 */
export async function onlyOne(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  const mine = `${process.pid} ${bornAt(process.pid)}`;
  for (let turns = 0; !create(lock, mine); turns++) {
    const holder = read(lock);
    if (isStale(lock, holder)) breakLock(lock);
    else if (turns === 5) say(`waiting for another start in this checkout (process ${holder.split(' ')[0]})`);
    await pause(200, undefined, { signal: interrupted });
  }
  try {
    return await work();
  } finally {
    if (read(lock) === mine) rmSync(lock, { force: true });
  }
}

function create(lock, text) {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isStale(lock, holder) {
  const [pid, born] = holder.split(' ');
  if (!(Number(pid) > 0)) return ageMs(lock) > abandonedMs;
  if (!isAlive(Number(pid))) return true;
  // The number may have been given to another process since, which in a container happens at once.
  return bornAt(pid) !== born;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** When a process began, in the kernel's own count; `?` where the system does not tell so simply. */
function bornAt(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is a name in brackets that may hold spaces; the 22nd field is the start time.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] || '?';
}

/**
 * Removes a stale lock. Of two who saw it stale, the slower must not remove the lock that the quicker has made since,
 * so it is looked at again under a guard that one alone holds; there is no waiting inside, so a guard is never old.
 */
function breakLock(lock) {
  const guard = `${lock}.break`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (ageMs(guard) > abandonedMs) rmdirSync(guard);
    return;
  }
  try {
    if (isStale(lock, read(lock))) rmSync(lock, { force: true });
  } finally {
    rmdirSync(guard);
  }
}
