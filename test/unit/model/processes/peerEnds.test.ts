import assert from 'node:assert/strict';
import { ConnectionEndedError, Peer, type Wire } from '../../../../src/model/processes/peer.ts';

/** A wire that, as that of vscode-jsonrpc does, rejects what waits for a reply when it is let go of. */
class StandInWire implements Wire {
  fail: (error: Error) => void = () => undefined;
  reject: (error: Error) => void = () => undefined;

  sendRequest(): Promise<unknown> {
    return new Promise((_resolve, reject) => (this.reject = reject));
  }

  onRequest(): void {
    // Nobody asks.
  }

  onClose(): void {
    // It ends by an error.
  }

  onError(listener: (error: unknown) => void): void {
    this.fail = listener;
  }

  listen(): void {
    // Nothing comes.
  }

  dispose(): void {
    this.reject(new Error('Pending response rejected since connection got disposed'));
  }
}

describe('a peer whose connection breaks while a reply is waited for', () => {
  it('says that the connection has ended, whatever the wire says of it', async () => {
    const wire = new StandInWire();
    const peer = new Peer(wire, {});
    const reply = peer.request('list', null);
    wire.fail(new Error('EPIPE'));
    await assert.rejects(reply, ConnectionEndedError);
  });

  it('says so too where the wire takes no request any more', async () => {
    const wire = new StandInWire();
    const peer = new Peer(wire, {});
    wire.sendRequest = () => {
      wire.fail(new Error('EPIPE'));
      throw new Error('Connection is disposed.');
    };
    await assert.rejects(peer.request('list', null), ConnectionEndedError);
  });
});
