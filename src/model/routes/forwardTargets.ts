import type { ForwardTarget, ForwardTargets, Leave } from '../deliveries/destination.ts';
import { type RoutePlaces, setRoutes } from './routePlaces.ts';
import { writtenAddress } from './typedAddress.ts';

/** Where the settings send deliveries, each address with whether deliveries may go there. */
export function forwardTargets(places: RoutePlaces, leaveFor: (to: URL) => Leave): ForwardTargets {
  const target = (address: string): ForwardTarget => {
    if (address === '') return { kind: 'off' };
    const to = writtenAddress(address);
    return to ? { kind: leaveFor(to), to: to.href } : { kind: 'invalid', text: address };
  };
  const { apps, rest } = setRoutes(places);
  const off: ForwardTarget = { kind: places.isTrusted ? 'off' : 'untrusted' };
  return {
    apps: new Map([...apps].map(([appName, { address }]) => [appName, target(address)])),
    rest: rest === undefined ? off : target(rest.address),
  };
}
