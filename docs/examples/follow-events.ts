import { OperatorClient } from '@muster/sdk';

const operator = new OperatorClient({
  url: 'http://127.0.0.1:8080',
  operatorKey: process.env['OPERATOR_KEY'] ?? '',
});
const lastPosition = 0;

for await (const event of operator.followEvents({ types: ['match.*'], after: lastPosition }))
  console.log(event.position, event.type, event.data);
