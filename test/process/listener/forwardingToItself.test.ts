import assert from 'node:assert/strict';
import dns from 'node:dns';
import { networkInterfaces } from 'node:os';
import { leadsToListener } from '../../../src/listener/forwarding/leadsToListener.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';

type LookupDone = (error: Error | null, addresses: dns.LookupAddress[]) => void;

describe('forwarding to the listener itself', () => {
  const toItself = 'this address is that of the listener itself';
  const { lookup } = dns;
  let rig: ListenerRig;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    // A name of this machine, as in /etc/hosts.
    const mapped = (name: string, options: dns.LookupAllOptions, done: LookupDone): void =>
      lookup(/^mine\.test\.?$/.test(name) ? '127.0.0.1' : name, options, done);
    dns.lookup = mapped as typeof lookup;
  });
  afterEach(async () => {
    dns.lookup = lookup;
    await rig.end();
  });

  for (const forwardMode of ['afterAck', 'passThrough'] as const) {
    it(`sends nothing to the listener itself: ${forwardMode}`, async () => {
      rig.configure({ forwardMode, acceptUnverified: true, publicUrl: 'https://hooks.example/in' });
      const hosts = [
        '127.0.0.1',
        'localhost',
        '0.0.0.0',
        '[::ffff:127.0.0.1]',
        'mine.test',
        'mine.test.',
        '0x7f.1',
      ];
      const here = hosts.map((host) => `http://${host}:${rig.port}/`);
      const all = [...here, `https://mine.test:${rig.port}/`, 'https://hooks.example/in/'];
      for (const [index, forwardTo] of all.entries()) {
        rig.configure({ forwardTo });
        const sent = rig.send(`${index}`, {});
        if (forwardMode === 'afterAck') assert.equal((await sent).status, 200);
        else await assert.rejects(sent, { code: 'ECONNRESET' });
        const [last] = await waitFor('the reason', () => (rig.list()[0]?.forward ? rig.list() : undefined));
        assert.deepEqual(
          [last?.forward?.to, last?.forward?.status, last?.forward?.error],
          [new URL(forwardTo).href, undefined, toItself],
        );
        assert.equal(rig.list().length, index + 1, 'nothing came back to it');
      }
    });
  }

  it('is one to its port at any address of this machine, and to no other', () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    for (const address of [...own, '127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1']) {
      assert.equal(leadsToListener({ address, port: 8787 }, 8787), true, address);
      assert.equal(leadsToListener({ address, port: 8788 }, 8787), false, address);
      assert.equal(leadsToListener({ address, port: 8787 }, undefined), false, address);
    }
    for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '1127.0.0.1']) {
      assert.equal(leadsToListener({ address, port: 8787 }, 8787), false, address);
    }
  });

  it('comes round once by another listener that forwards to it: what comes back is a repeat', async () => {
    const other = await new ListenerRig().start();
    try {
      rig.configure({ forwardTo: `http://127.0.0.1:${other.port}/` });
      other.configure({ forwardTo: `http://127.0.0.1:${rig.port}/` });
      await rig.deliver('r-1');
      await waitFor(
        'the way round',
        () => rig.list().length === 2 && other.list()[0]?.forward?.status === 200,
      );
      const [back, first] = rig.list();
      assert.equal(back?.repeatOf, first?.id);
      // One more delivery goes the same way, so the first one has come to rest.
      await rig.deliver('r-2');
      await waitFor(
        'the way round',
        () => rig.list().length === 4 && other.list()[0]?.forward?.status === 200,
      );
      assert.equal(other.list().length, 2);
    } finally {
      await other.end();
    }
  });
});
