import { endWithOutput } from './output-errors.js';
import { runMuster } from './program.js';

endWithOutput();
void runMuster(process.argv.slice(2));
