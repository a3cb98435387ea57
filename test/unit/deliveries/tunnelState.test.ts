import assert from 'node:assert/strict';
import { reasonOfEnd, type TunnelState } from '../../../src/deliveries/listenerProtocol.ts';

describe('the end of a tunnel', () => {
  const provider = 'ngrok';
  const opening: TunnelState = { kind: 'opening', provider };
  const open: TunnelState = { kind: 'open', provider, publicUrl: 'https://a.example/' };
  const reopening: TunnelState = { kind: 'reopening', provider, attempt: 5, reason: 'ngrok exited (1).' };
  const failed: TunnelState = { kind: 'failed', provider, reason: 'ngrok exited (1).' };

  it('is told where it was open, whether or not its last start opened it', () => {
    assert.equal(reasonOfEnd(open, failed), 'ngrok exited (1).');
    assert.equal(reasonOfEnd(reopening, failed), 'ngrok exited (1).');
  });

  it('is none where it goes on, was closed, or never opened', () => {
    for (const now of [opening, open, reopening, { kind: 'closed' }] as const) {
      assert.equal(reasonOfEnd(open, now), undefined);
    }
    assert.equal(reasonOfEnd(opening, failed), undefined);
  });
});
