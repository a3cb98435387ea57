import assert from 'node:assert/strict';
import { statusLook } from '../../../../../src/editor/listener/status/statusLook.ts';

describe('the listener in the status bar', () => {
  const listening = { kind: 'listening', port: 8787, url: 'http://127.0.0.1:8787/' } as const;

  it('shows the port and the count of deliveries while it listens', () => {
    const look = statusLook(listening, { arrived: 3, toLookAt: 0 });
    assert.equal(look?.text, '$(radio-tower) 8787 · 3');
    assert.match(look.tooltip, /from this machine only/);
    const forwarding = statusLook(listening, { arrived: 0, toLookAt: 0 }, undefined, '→ localhost:3000');
    assert.match(forwarding?.tooltip ?? '', /\n→ localhost:3000$/);
    assert.equal(look.background, undefined);
    assert.equal(statusLook(listening, { arrived: 0, toLookAt: 0 })?.text, '$(radio-tower) 8787');
  });

  it('counts what needs a look beside them, and says so in words', () => {
    const look = statusLook(listening, { arrived: 3, toLookAt: 2 });
    assert.equal(look?.text, '$(radio-tower) 8787 · 3 $(warning) 2');
    assert.match(look.tooltip, /\n2 deliveries need a look$/);
    assert.equal(look.background, undefined);
    assert.equal(
      statusLook(listening, { arrived: 0, toLookAt: 1 })?.text,
      '$(radio-tower) 8787 $(warning) 1',
    );
  });

  it('warns by colour, icon and words while it is public', () => {
    const look = statusLook({ ...listening, publicUrl: 'https://me.example/' }, { arrived: 0, toLookAt: 0 });
    assert.equal(look?.background, 'warning');
    assert.equal(look.text, '$(globe) 8787');
    assert.match(look.tooltip, /public as https:\/\/me\.example\//);
  });

  it('says that it reads from a relay, without a warning, since nobody reaches this machine by it', () => {
    const read = { ...listening, publicUrl: 'https://relay.example/in/a/', relay: {} };
    const look = statusLook(read, { arrived: 3, toLookAt: 0 });
    assert.equal(look?.text, '$(globe) 8787 via relay · 3');
    assert.match(look.tooltip, /public as https:\/\/relay\.example\/in\/a\/ via relay/);
    assert.equal(look.background, undefined);
    const away = statusLook({ ...read, relay: { problem: 'Too slow.' } }, { arrived: 0, toLookAt: 0 });
    assert.equal(away?.text, '$(debug-disconnect) 8787 via relay');
    assert.match(
      away.tooltip,
      /The relay is not available: Too slow\. Runhook keeps trying; deliveries that the relay has accepted wait there\./,
    );
    assert.equal(away.background, 'warning');
  });

  it('says that its tunnel broke off and opens again', () => {
    const broken = { ...listening, tunnelProblem: 'ngrok exited (1).' };
    const look = statusLook(broken, { arrived: 3, toLookAt: 0 });
    assert.equal(look?.text, '$(debug-disconnect) 8787 · 3');
    assert.match(look.tooltip, /from this machine only\.\nThe tunnel broke off: ngrok exited \(1\)\./);
    assert.equal(look.background, 'warning');
  });

  it('says which process it is, and for how long it stays', () => {
    const program = { pid: 4711, staysSeconds: 60 };
    const tooltip = (seconds: number): string =>
      statusLook(listening, { arrived: 0, toLookAt: 0 }, { ...program, staysSeconds: seconds })?.tooltip ??
      '';
    assert.match(tooltip(90), /\nProcess 4711; keeps running for 90 seconds after the last window\.$/);
    assert.match(tooltip(0), /; stops with the last window\.$/);
  });

  it('says why deliveries cannot be kept, public or not', () => {
    const problem = 'ENOSPC: no space left on device';
    const look = statusLook(
      { ...listening, publicUrl: 'https://me.example/', problem },
      { arrived: 0, toLookAt: 0 },
    );
    assert.equal(look?.background, 'error');
    assert.match(look.tooltip, /so the listener does not respond to them: ENOSPC/);
  });

  it('says why it failed, and is not there where nothing listens', () => {
    const look = statusLook({ kind: 'failed', reason: 'The port is taken.' }, { arrived: 0, toLookAt: 0 });
    assert.equal(look?.background, 'error');
    assert.match(look.tooltip, /^The port is taken\.\n/);
    assert.equal(statusLook({ kind: 'stopped' }, { arrived: 0, toLookAt: 0 }), undefined);
  });
});
