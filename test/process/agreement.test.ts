import assert from 'node:assert/strict';
import { headerOf } from '../../src/service/signature/signature.ts';
import { ListenerRig } from '../support/listener/listenerRig.ts';
import { defaultSecret } from '../support/listener/defaultSecret.ts';
import { runPython } from '../support/processes/python.ts';
import { seed } from '../support/random/seed.ts';
import { useSandbox } from '../support/service/useSandbox.ts';

/** A round of the sender: what the listener is to hold, and what time it is. */
interface Round {
  clock: number;
  /** The UTF-8 bytes of each in base64. */
  secrets: string[];
}

/** A webhook that the sender has sent. */
interface Sent {
  number: number;
  /** What is the matter with it, in a word. */
  wrong: string | null;
  verdict: string;
  status: number;
}

interface Received {
  arrived: number;
  signed: number;
  ids: number;
  /** By the path of the webhook. */
  problems: Record<string, string[]>;
}

const count = 400;

describe('an implementation of the scheme that shares no code with Runhook', () => {
  const service = useSandbox();

  it(`sends webhooks, right ones and wrong ones, of which the listener says what it says; seed ${seed}`, async () => {
    const rig = await new ListenerRig().start();
    rig.configure({ keep: 100_000 });
    try {
      const sent: Sent[] = [];
      await runPython('sender.py', [seed, count], (line) => {
        const said = line as Round | Sent;
        if ('number' in said) {
          sent.push(said);
          return undefined;
        }
        rig.clock = said.clock * 1000;
        const texts = said.secrets.map((text) => Buffer.from(text, 'base64').toString());
        rig.configure({ secrets: texts.map((text) => defaultSecret(text)) });
        return String(rig.port);
      });
      assert.equal(sent.length, count);
      const kept = new Map(
        rig.list().map(({ id }) => {
          const { rawHeaders, verdict } = rig.store.kept(id);
          return [headerOf(rawHeaders, 'x-number'), verdict];
        }),
      );
      for (const { number, wrong, verdict, status } of sent) {
        const what = `number ${number}, ${wrong ?? 'nothing wrong'}`;
        assert.equal(kept.get(String(number)), verdict, what);
        assert.equal(status, verdict === 'verified' ? 200 : 401, what);
      }
      // All that there is to say has been said.
      const verdicts = new Set(sent.map(({ verdict }) => verdict));
      assert.deepEqual(verdicts, new Set(['verified', 'unsigned', 'mismatch', 'stale', 'malformed']));
      // A secret that is wrong may be the one of another webhook, now and then.
      const surprising = sent.filter(({ wrong, verdict }) => (verdict === 'verified') !== (wrong === null));
      assert.ok(surprising.length < count / 100, JSON.stringify(surprising));
    } finally {
      await rig.end();
    }
  });

  it(`verifies the webhooks that the sandbox sends, whatever bytes the secret has; seed ${seed}`, async () => {
    const { proxyUrl, projectId, token } = service.address;
    const said: Received[] = [];
    await runPython('receiver.py', [seed, count, `${proxyUrl}/v4/${projectId}/echo/run`, token], (line) => {
      said.push(line as Received);
      return undefined;
    });
    const [{ arrived, signed, ids, problems }] = said as [Received];
    assert.deepEqual(problems, {});
    assert.equal(arrived, count);
    assert.ok(signed > count / 2, `only ${signed} were signed`);
    assert.equal(ids, count);
  });
});
