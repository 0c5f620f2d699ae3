import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const groups = process.platform !== 'win32';

/** The step that runs now: there is one prepare in a process, and one step at a time. */
let child = null;
let interruptedBy = null;
const interruption = new AbortController();

/** Aborted when a signal has asked this process to stop: for whatever waits without a step. */
export const interrupted = interruption.signal;

/**
 * Runs a program to its end.
 *
 * It gets a process group of its own, because Ctrl-C goes to the whole group of the terminal: npm and Nx would then be
 * dying while we still hold the lock, each in its own way. So the signal comes here, and from here to all of them.
 *
 * @param stdio as for `spawn`; what comes through pipes is collected
 * @returns the exit code and what was collected
 */
export async function step(command, args, { cwd, env = process.env, stdio }) {
  interrupted.throwIfAborted();
  return new Promise((resolve, reject) => {
    const output = [];
    child = spawn(command, args, { cwd, env, stdio, detached: groups });
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => {
      child = null;
      reject(error);
    });
    child.on('close', (code, signal) => {
      child = null;
      if (interrupted.aborted) return reject(interrupted.reason);
      resolve({
        code: code ?? 128 + (constants.signals[signal] ?? 0),
        output: Buffer.concat(output).toString(),
      });
    });
  });
}

/**
 * Runs `work`, whose steps are stopped by a signal to this process. Then this process ends by the same signal, as
 * it would have without us, so that a shell and npm see what happened.
 */
export async function interruptible(work) {
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work();
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    if (interruptedBy !== null) process.kill(process.pid, interruptedBy);
  }
  // The signal is on its way; nothing may start meanwhile.
  return new Promise(() => setTimeout(() => process.exit(128 + constants.signals[interruptedBy]), 1000));
}

function stop(signal) {
  interruptedBy = signal;
  interruption.abort();
  if (child === null) return;
  const patience = setTimeout(kill, 3000, child, 'SIGKILL');
  child.once('close', () => clearTimeout(patience));
  kill(child, 'SIGTERM');
}

function kill({ pid }, signal) {
  try {
    process.kill(groups ? -pid : pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
