import type { ForwardTarget, ForwardTargets, Permission } from '../deliveries/destination.ts';
import { type RoutePlaces, setRoutes } from './routePlaces.ts';
import { writtenAddress } from './typedAddress.ts';

/** Where the settings send deliveries, each address with whether deliveries may go there. */
export function forwardTargets(places: RoutePlaces, permissionFor: (to: URL) => Permission): ForwardTargets {
  const target = (address: string): ForwardTarget => {
    if (address === '') return { kind: 'off' };
    const to = writtenAddress(address);
    return to ? { kind: permissionFor(to), to: to.href } : { kind: 'invalid', text: address };
  };
  const { apps, rest } = setRoutes(places);
  const off: ForwardTarget = { kind: places.isTrusted ? 'off' : 'untrusted' };
  return {
    apps: new Map([...apps].map(([appName, { address }]) => [appName, target(address)])),
    rest: rest === undefined ? off : target(rest.address),
  };
}
