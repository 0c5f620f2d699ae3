import { fitRows, type FitResult, type FitTask } from './fit-rows.js';

/** Fits in a thread. */
export default function fit(task: FitTask): FitResult {
  return fitRows(task);
}
