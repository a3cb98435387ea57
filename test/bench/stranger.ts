// What floods a listener, in a process of its own: `node stranger.ts <port> <kind>`. Ends when it is told to.
import { Strangers } from '../support/strangers.ts';
import { floods } from './floods.ts';

const [port = '', kind = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
floods[kind]?.(new Strangers(Number(port)));
