import { createHmac } from 'node:crypto';
import { thorough } from '../../../../src/service/diagnosis/causeSearch.ts';
import type { Evidence } from '../../../../src/service/diagnosis/diagnosis.ts';
import { body, clock, delivery, requestId, secret } from '../../../support/webhooks/signedDelivery.ts';
import { itNames, type NamedCause } from '../../../support/webhooks/namedCauses.ts';

/** A delivery whose digest was made over another content. */
function signedOver(content: string): Evidence {
  const signature = createHmac('sha256', secret).update(content).digest('hex');
  return delivery({}, { headers: { 'x-service-webhook-signature': `v1,${signature}` } });
}

describe('diagnosis names what people met with other receivers', () => {
  const cases: NamedCause[] = [
    [
      'a capital letter in an escape that JSON.stringify wrote small',
      delivery({ body: '{"m":"\\u001B"}' }, { body: '{"m":"\\u001b"}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      "Jackson's layout",
      delivery({ body: '{\n  "a" : 1,\n  "b" : [ 1, { } ]\n}' }, { body: '{"a":1,"b":[1,{}]}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      "Gson's escapes",
      delivery({ body: '{"a":"\\u003d\\u0027"}' }, { body: '{"a":"=\'"}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      ".NET's escapes",
      delivery({ body: '{"a":"\\u0022\\u002B\\u00E9"}' }, { body: '{"a":"\\"+é"}' }),
      'reserialised',
      /^body re-serialised/,
    ],
    [
      'one of several numbers that lost its fraction',
      {
        ...delivery({ body: '{"price": 12.0, "n": 3}' }, { body: '{"price":12,"n":3}' }),
        effort: thorough(() => true),
      },
      'numbersRewritten',
      /^numbers differ/,
    ],
    [
      'a body that was signed with its keys sorted',
      {
        ...delivery({ body: '{"a":{"x":1,"y":2},"b":1}' }, { body: '{"b":1,"a":{"y":2,"x":1}}' }),
        effort: thorough(() => true),
      },
      'keysSorted',
      /^JSON keys sorted/,
    ],
    [
      'a body that was signed as Python writes bytes',
      delivery({ body: `b'{"a": "it\\'s"}\\n'` }, { body: '{"a": "it\'s"}\n' }),
      'notTheBody',
      /b'…'/,
    ],
    [
      'a body that was signed as Python writes a dict',
      delivery({ body: `{'a': None, 'b': [True, 'é']}` }, { body: '{"a":null,"b":[true,"\\u00e9"]}' }),
      'notTheBody',
      /^body as Python dict/,
    ],
    [
      'an object that was signed in place of its text',
      delivery({ body: '[object Object]' }, { body }),
      'notTheBody',
      /^signed "\[object Object\]"/,
    ],
    ['an empty body that was signed', delivery({ body: '' }, { body }), 'notTheBody', /^empty body signed/],
    [
      'a body that was put into a JSON string',
      delivery({ body: '{"a": [1]}' }, { body: JSON.stringify('{"a": [1]}') }),
      'nestedJson',
      /taken out of one/,
    ],
    [
      'a body that was taken out of a JSON string',
      delivery({ body: JSON.stringify('{"a": [1]}') }, { body: '{"a": [1]}' }),
      'nestedJson',
      /taken out of one/,
    ],
    [
      'a result that was a JSON string',
      delivery({ body: '{"r":"{\\"a\\":[1]}","n":1.50}' }, { body: '{"r":{"a":[1]},"n":1.50}' }),
      'nestedJson',
      /taken out of one/,
    ],
    ...(
      [
        ['timestamp.body', `${clock}.${body}`],
        ['timestamp.X-Request-Id.body', `${clock}.${requestId}.${body}`],
        ['body.timestamp', `${body}.${clock}`],
        ['v0:timestamp:body', `v0:${clock}:${body}`],
        ['X-Request-Id + timestamp + body', `${requestId}${clock}${body}`],
      ] as const
    ).map(([order, content]): NamedCause => [
      `a digest over ${order}`,
      signedOver(content),
      'signedContent',
      new RegExp(
        `^other parts signed: ${order.replaceAll('+', String.raw`\+`)} in place of X-Request-Id.timestamp.body$`,
      ),
    ]),
    ['a digest over the body alone', signedOver(body), 'signedContent', /^only body signed/],
    [
      'a secret cut at "$"',
      delivery({ key: 'pa' }, {}, ['pa$word12345']),
      'secretCut',
      /^"\$" read as variable/,
    ],
    [
      'a secret of which a shell took a part',
      delivery({ key: 'pa-end' }, {}, ['pa$word-end']),
      'secretCut',
      /^"\$" read as variable/,
    ],
    [
      'a secret cut after some characters',
      delivery({ key: 'a-long-secret-of-the-cal' }, {}, ['a-long-secret-of-the-caller']),
      'secretCut',
      /^secret cut off: only part of it is left/,
    ],
    [
      'a line of a file in place of the secret kept here',
      delivery({}, {}, [`export WEBHOOK_SECRET="${secret}"`]),
      'secretName',
      /^variable in secret: set/,
    ],
    [
      "a line of a file in place of the caller's secret",
      delivery({ key: `WEBHOOK_SECRET=${secret}` }),
      'secretName',
      /^variable in secret: the caller/,
    ],
    [
      'a version and whsec_ before the secret kept here',
      delivery({}, {}, [`v1,whsec_${secret}`]),
      'secretPrefix',
      /^no "v1,whsec_" in secret/,
    ],
    [
      "a version and whsec_ before the caller's secret",
      delivery({ key: `v1,whsec_${secret}` }),
      'secretPrefix',
      /^"v1,whsec_" in secret/,
    ],
    [
      'a secret in UTF-16',
      delivery({ key: Buffer.from(`\u{feff}${secret}`, 'utf16le') }),
      'secretCharset',
      /read as UTF-16/,
    ],
  ];
  itNames(cases);
});
