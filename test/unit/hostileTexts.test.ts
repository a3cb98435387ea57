import assert from 'node:assert/strict';
import { errorText } from '../../src/service/client/answer.ts';
import { toolText } from '../../src/agents/toolValues.ts';
import { runAnswerText } from '../../src/editor/run/answers/answerText.ts';
import { deliveryLine } from '../../src/deliveries/deliveryLine.ts';
import { oneLine, plainText, withoutLinks } from '../../src/shared/text/plainText.ts';
import { SecretMask } from '../../src/shared/masking/secretMask.ts';
import { curlCommand } from '../../src/service/requests/copiedRequest.ts';
import { deliveryDocument } from '../../src/deliveries/deliveryDocument.ts';
import { explain } from '../../src/service/explanation/explanation.ts';
import { readFixture } from '../../src/suite/fixture/readFixture.ts';
import { fixtureName, fixtureText } from '../../src/suite/fixture/savedFixture.ts';
import { delivery as evidenceFor } from '../support/webhooks/signedDelivery.ts';
import { assertHarmless } from '../support/untrusted/assertHarmless.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import { input } from '../support/deliveries/runInput.ts';
import { hostileTexts } from '../support/untrusted/hostileTexts.ts';

describe('hostile text of the service', () => {
  for (const text of hostileTexts) {
    describe(JSON.stringify(text.length > 80 ? `${text.slice(0, 60)}… (${text.length})` : text), () => {
      it('stays what it is in a label and in a message', () => {
        assertHarmless(plainText(text), 200);
        assertHarmless(plainText(text, 400), 600);
        assert.ok(!withoutLinks(text).includes(']('));
      });

      it('is one line of the output, whichever part of a delivery it is', () => {
        const forward = { to: 'http://localhost:3000/', durationMs: 1, error: text.slice(0, 200) };
        for (const part of [{ runId: text }, { appName: text }, { reason: text }, { forward }]) {
          const line = deliveryLine(deliveryOf('d-1', part), { firstAt: () => undefined }).text;
          assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} {2}✓ verified /);
          assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
          assert.ok(line.isWellFormed());
          assert.ok(line.length < 500, `${line.length} characters`);
        }
        assert.ok(oneLine(text).isWellFormed());
      });

      it('is one line of an error, however the service says it', () => {
        for (const body of [
          text,
          JSON.stringify({ message: text }),
          JSON.stringify({ errors: [text, text] }),
        ])
          assertHarmless(errorText(body), 500);
      });

      it('adds no line above the body of an answer', () => {
        const [outcome, parts] = runAnswerText({
          ...{ url: 'http://127.0.0.1/v4/p/a/run', results: [], isSandbox: false },
          ...{ waitingFor: 'nothing', elapsedMs: 0 },
          head: { status: 200, headers: {}, afterMs: 1 },
          run: {
            ...{ id: 'r', input, startedAt: 0, runId: text },
            outcome: { kind: 'failed', reason: text, durationMs: 1 },
          },
        }).split('\n\n');
        assertHarmless(outcome ?? '', 1000);
        assert.match(
          parts ?? '',
          /^── Headers · 0\n── Request · POST http:\/\/127\.0\.0\.1\/v4\/p\/a\/run\n {2}Run id [^\n]*\n$/,
        );
      });

      it('is a string of JSON in the document of a delivery, and as it was', () => {
        const delivery = deliveryOf('d-1', {
          runId: text,
          appName: text,
          headers: { 'x-a': text },
          body: text,
        });
        const document = deliveryDocument(delivery, []);
        const read = JSON.parse(document) as typeof delivery;
        assert.deepEqual([read.runId, read.appName, read.headers['x-a']], [text, text, text]);
        assert.deepEqual(Object.keys(read).sort(), Object.keys(delivery).sort());
        assert.equal(
          document.split('\n').length,
          deliveryDocument(
            deliveryOf('d-1', { runId: '', appName: '', headers: { 'x-a': '' }, body: 'x' }),
            [],
          ).split('\n').length,
        );
      });

      it('hides nothing in the explanation of a delivery', () => {
        const { text: read } = explain(
          evidenceFor({ body: text, requestId: text.replace(/[^\x20-\x7e]/g, '') }),
        );
        assert.doesNotMatch(read.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
        assert.ok(read.isWellFormed());
      });

      it('names no file, and is a string of JSON in it', () => {
        const delivery = deliveryOf('d-1', { runId: text, appName: text, body: text.toWellFormed() });
        assert.match(fixtureName(delivery), /^[a-z0-9-]{1,80}$/);
        const read = readFixture(fixtureText(delivery));
        assert.equal(read.bytes.toString(), text.toWellFormed());
      });

      it('does nothing in a terminal that a command is pasted into', () => {
        const body = Buffer.from(text);
        const command = curlCommand({ method: 'POST', url: 'http://127.0.0.1/', headers: {}, body }, []);
        assert.doesNotMatch(command.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
      });

      it('is a string of JSON to a language model, and not a long one', () => {
        const told = toolText({ body: text }, new SecretMask([]));
        assert.doesNotMatch(told.replaceAll('\n', ''), /[\u0000-\u001f]/);
        assert.ok(told.isWellFormed());
        const { body } = JSON.parse(told) as { body: string };
        assert.equal(body.slice(0, 4000), text.slice(0, 4000));
        assert.ok(body.length < 4100);
      });
    });
  }
});
