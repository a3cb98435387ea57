// Posts forgeries of two bytes to a listener until its parent exits or kills it. Arguments: the port, and how many a
// second.
import { randomBytes } from 'node:crypto';
import { requestBytes } from '../support/listener/wire.ts';
import { sendAtRate } from './load.ts';

const [port = '', perSecond = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
const forgeries = Array.from({ length: 500 }, () =>
  requestBytes(
    {
      'X-Request-Id': randomBytes(8).toString('hex'),
      'X-Service-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
      'X-Service-Webhook-Signature': `v1,${randomBytes(32).toString('hex')}`,
    },
    '{}',
  ),
);
await sendAtRate(Number(port), forgeries, Number(perSecond), 3_600_000, () => undefined);
