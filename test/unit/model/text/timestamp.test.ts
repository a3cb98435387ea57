import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { readTimestamp } from '../../../../src/model/text/timestamp.ts';

describe('a timestamp', () => {
  const at = '2027-03-02T10:00:00.000Z';
  const seconds = Date.parse(at) / 1000;
  for (const value of [
    ...[at, '2027-03-02T10:00:00Z', '2027-03-02T10:00Z', '2027-03-02 10:00:00', '2027-03-02T12:30:00+02:30'],
    ...['2027-03-02T05:00:00-0500', '2027-03-02T10:00:00.000000Z', '2027-03-02 10:00:00 UTC'],
    ...['2027-03-02T10:00:00+00', '2027-03-02 10:00:00+00', '2027-03-02 11:00:00.000000+01'],
    ...['20270302T100000Z', '2027-03-02T10:00:00,000Z', '2027-03-02T10:00Z[UTC]', '2027-03-02T10:00:00+0000'],
    ...['2027-03-02 10:00:00 +0000 UTC', 'Tue, 2 Mar 2027 11:00:00 +0100', `/Date(${seconds * 1000})/`],
    'Tue Mar 02 2027 10:00:00 GMT+0000 (Coordinated Universal Time)',
    ...[{ _seconds: seconds, _nanoseconds: 0 }, { seconds: String(seconds), nanos: 0 }, { $date: at }],
    ...[{ $date: seconds * 1000 }, { $date: { $numberLong: String(seconds * 1000) } }],
    { date: '2027-03-02 10:00:00.000000', timezone_type: 3, timezone: 'UTC' },
    { date: '2027-03-02 11:00:00.000000', timezone_type: 3, timezone: 'Europe/Berlin' },
    { date: '2027-03-02 05:00:00.000000', timezone_type: 1, timezone: '-05:00' },
    { epochSecond: seconds, nano: 0 },
    { __type: 'Date', iso: at },
    ...['Tue, 02 Mar 2027 10:00:00 GMT', ' 2027-03-02t10:00:00z '],
    ...[seconds, seconds * 1e3, seconds * 1e6, seconds * 1e9, String(seconds), String(seconds * 1e3)],
  ]) {
    it(`is read: ${JSON.stringify(value)}`, () => {
      assert.equal(readTimestamp(value), Date.parse(at));
    });
  }
  it('is read: a date alone, as UTC', () => {
    assert.equal(readTimestamp('2027-03-02'), Date.parse('2027-03-02T00:00:00Z'));
  });
  for (const value of [
    ...[
      null,
      undefined,
      0,
      -5,
      NaN,
      Infinity,
      1e300,
      '',
      '0',
      'never',
      'soon',
      '12',
      '2027-13-45',
      true,
      {},
      [],
    ],
    ...['0001-01-01T00:00:00Z', '2027-02-30T00:00:00Z', '02/03/2027', 3600, '3600', { $date: 'soon' }],
    ...[
      { date: '2027-03-02 10:00:00', timezone: 'Nowhere/At all' },
      { date: '2027-03-02', hour: 10 },
    ],
    { seconds: '' },
  ]) {
    it(`is none: ${inspect(value)}`, () => {
      assert.equal(readTimestamp(value), undefined);
    });
  }
});
