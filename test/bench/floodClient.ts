// Floods a listener until its parent exits or kills it. Arguments: the port, and the kind of flood.
import { HostileClients } from '../support/listener/hostileClients.ts';
import { floods } from './floods.ts';

const [port = '', kind = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
floods[kind]?.(new HostileClients(Number(port)));
