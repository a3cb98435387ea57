import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { maxWebhookBytes } from '../../../src/sandbox/webhook/webhookBody.ts';
import { ListenerRig, secret } from '../../support/listener/listenerRig.ts';
import { useSandbox } from '../../support/service/useSandbox.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const mib = 1024 * 1024;

describe('a long answer of an app', () => {
  const service = useSandbox();
  let rig: ListenerRig;

  beforeEach(async () => {
    rig = await new ListenerRig().start();
    rig.configure({ maxBodyBytes: maxBodyBytesByDefault() });
    rig.clock = Date.now();
  });
  afterEach(() => rig.end());

  /** What the listener keeps of the webhook of a run. */
  async function arrived(name: string, body?: string) {
    const { status } = await service.run(name, { hook: `http://127.0.0.1:${rig.port}/`, secret, body });
    const id = await waitFor('the webhook at the listener', () => rig.arrived[0]);
    assert.deepEqual(rig.refused, []);
    const { verdict, answered } = rig.store.get(id);
    assert.deepEqual([status, verdict, answered], [200, 'verified', 200]);
    return JSON.parse(rig.store.kept(id).body.toString()) as Record<string, unknown>;
  }

  const sizes: [bytes: number, isCut: boolean][] = [
    [10 * mib - 1024, false],
    [10 * mib, true],
    [11 * mib, true],
  ];
  for (const [bytes, isCut] of sizes) {
    it(`of ${bytes} bytes arrives at a listener ${isCut ? 'cut, and says so' : 'whole'}`, async () => {
      const answer = `{"a":"${'x'.repeat(bytes - 8)}"}`;
      service.app.otherwise = (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
      };
      const said = await arrived('mine');
      if (isCut) {
        assert.deepEqual([said['truncated'], said['result_bytes']], [true, bytes]);
        assert.ok(answer.startsWith(said['result'] as string));
        await service.logged(
          new RegExp(`${String(said['run_id'])}: of the app's answer, ${bytes} bytes, it holds`),
        );
      } else {
        assert.deepEqual(said['result'], JSON.parse(answer));
        assert.equal(said['truncated'], undefined);
      }
    });
  }

  it('of a built-in one is whole for the caller, and cut in the webhook', async () => {
    const said = await arrived('echo', `"${'x'.repeat(10 * mib - 2)}"`);
    assert.equal(said['truncated'], true);
  });

  it('has as much room in the sandbox as a listener takes by default', () => {
    assert.equal(maxWebhookBytes, maxBodyBytesByDefault());
  });
});

/** What package.json says. */
function maxBodyBytesByDefault(): number {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const [, digits] = /"runhook\.listener\.maxBodyBytes": \{[^}]*"default": (\d+)/.exec(text) ?? [];
  return Number(digits);
}
