import { parentPort, workerData } from 'node:worker_threads';
import { tryInThread, type ThreadTask } from './thread-task.js';

const port = parentPort;
if (port) {
  const results = tryInThread(workerData as ThreadTask, (count) => port.postMessage({ count }));
  port.postMessage({ results });
}
