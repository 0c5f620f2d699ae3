// The health check of the images: asks a process for its readiness. Exit code 0 says that it can take calls.
//
//   node healthy.mjs HTTP_PORT     the variable that holds its port
import { get } from 'node:http';

const [, , variable = 'HTTP_PORT'] = process.argv;
const fail = (why) => {
  console.error(why);
  process.exit(1);
};

const request = get(
  { host: '127.0.0.1', port: process.env[variable], path: '/health/ready', timeout: 4_000 },
  (response) => {
    response.setEncoding('utf8');
    let body = '';
    response.on('data', (text) => (body += text));
    response.on('end', () => (response.statusCode === 200 ? process.exit(0) : fail(body)));
  },
);
request.on('timeout', () => fail('no answer within 4 s'));
request.on('error', (error) => fail(error.message));
