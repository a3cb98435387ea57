import assert from 'node:assert/strict';
import { newRelayKey } from '../../../../src/deliveries/relayProtocol.ts';
import { RelayTunnel } from '../../../../src/listener/tunnels/relayTunnel.ts';
import { UnreachableError } from '../../../../src/service/client/errors.ts';

describe('RelayTunnel', () => {
  it('names a relay that cannot be reached at first, and leads to its setting', async () => {
    const ignore = (): void => undefined;
    const tunnel = new RelayTunnel({
      take: () => Promise.resolve(),
      ...{ onState: ignore, onLosses: ignore, say: ignore },
    });
    const away = new UnreachableError('gone', { passing: true, short: 'nothing listens there' });
    const access = { url: 'https://relay.example:8443/team', key: newRelayKey() };
    const transport = { send: () => Promise.reject(away), close: () => Promise.resolve() };
    await assert.rejects(tunnel.open(access, transport, false), {
      message: 'The relay relay.example:8443 is not available: nothing listens there.',
      remedies: [{ kind: 'tryAgain' }, { kind: 'openSettings', ids: ['relay.url'] }],
    });
    assert.equal(tunnel.state.kind, 'failed');
    // A tunnel that is opened after it is what counts from then on.
    await tunnel.close();
    assert.equal(tunnel.state.kind, 'closed');
  });
});
